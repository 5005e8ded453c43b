import {
  type Candidate,
  type Gate,
  type SandboxLimits,
  type Snapshot,
  TadpoleError,
  type TestExecutor,
  type TreeEdit,
} from '@tadpole/contracts';
import { gitPatch } from '../edit/git-patch.js';
import type { TemplateRung } from '../statement/write-statement.js';
import { candidateIdOf } from './candidate-trees.js';
import { otherFixesPass, type SolvedVariants, wrongFixesFail } from './control-gates.js';
import { hashHiddenFiles, isHidden } from './hidden-files.js';
import { impactedTestFiles, type TestFilesFor } from './impacted-test-files.js';
import { readCandidate } from './read-candidate.js';
import { runBuggyTree } from './run-buggy-tree.js';
import { runRestoredTree } from './run-restored-tree.js';
import { runSolvedTree, testEdits, withHiddenTests } from './run-solved-tree.js';
import { stateTask } from './state-task.js';
import { createTaskData } from './task-draft.js';
import { changesSourcesOnly, goldRestoresSnapshot } from './tree-gates.js';
import { treeHoldsNoAnswer } from './tree-leaks.js';
import { Refusal, type Validation } from './validation.js';

/** How candidates are validated; the same for all of a run. */
export interface ValidationSettings {
  readonly executor: TestExecutor;
  /** Limits of the sandbox in which the task will be worked on and graded. */
  readonly limits: SandboxLimits;
  /** Rung of the statement ladder. @default 'line' */
  readonly rung?: TemplateRung;
  /**
   * When a failing input is cut out of the tests and run by itself, which costs two executions of one small file: for rungs that
   * show it, or always, so that `rewriteStatement` can move a draft to them. @default 'when-stated'
   */
  readonly examples?: 'when-stated' | 'always';
  /** Wall time of one execution of tests. @default 20000 */
  readonly timeoutMs?: number;
  /** Wall time of the task's grading. @default `timeoutMs` */
  readonly verifierTimeoutMs?: number;
  /** How many complete runs of this very tree stand behind `snapshot.baseline`. @default 0 (unknown) */
  readonly baselineRuns?: number;
  /** Executions of the restored tree. @default 1 when `baselineRuns` is 2 or more, since restored bytes equal the baseline's; else 2. 0 rests on the baseline's runs alone */
  readonly goldRuns?: number;
  /** @default 0.1 */
  readonly maxMissingShare?: number;
  /** @default 0.5 */
  readonly maxFailingShare?: number;
  /**
   * Which test files a change can concern: they alone make up the controls, and where they are few the first run, and a bug that
   * none of them reaches is refused before any run. One of the two runs is of the whole suite always. @default nothing is known, all run
   */
  readonly testFilesFor?: TestFilesFor;
  /** Wrong fixes that the tests must refuse, and right ones in another form that they must accept. @default neither is tried */
  readonly controls?: { readonly wrongFixes?: SolvedVariants; readonly otherFixes?: SolvedVariants };
}

/**
 * Decides by execution whether a candidate is a task. The agent's tree runs twice and must fail alike, for the
 * right reason (see the refusal reasons); the gold patch must give the solved tree byte for byte, and that tree
 * must pass. Nothing else of the agent's tree may hold the answer. The statement is the candidate's own, or is written from what
 * the tests printed. With `controls`, wrong fixes must fail and right ones in another form must pass. What costs nothing is
 * asked first, and the first run of the agent's tree that passes ends it.
 *
 * @throws TadpoleError `invalid-input` for a snapshot without a baseline or with a visible test file,
 * `invalid-config` where passing would not be seen twice, and whatever the executor throws (`sandbox`, `aborted`): a failed boundary says nothing about the candidate.
 */
export async function validateCandidate(
  options: ValidationSettings & {
    snapshot: Snapshot;
    candidate: Candidate;
    /** Uniform in [0, 1); places the line in its region. */
    random: () => number;
    signal?: AbortSignal;
  },
): Promise<Validation> {
  assertSnapshot(options.snapshot);
  goldRunsOf(options);
  const gates: Gate[] = [];
  try {
    return await passGates({ ...options, gates });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 'refused', reason: error.reason, detail: error.message, gates: [...gates, error.gate] };
  }
}

async function passGates(options: Parameters<typeof validateCandidate>[0] & { gates: Gate[] }): Promise<Validation> {
  const { candidate, executor, random, gates, signal, rung = 'line', timeoutMs = 20_000, baselineRuns = 0, controls = {} } = options;
  const bounds = { maxMissingShare: options.maxMissingShare ?? 0.1, maxFailingShare: options.maxFailingShare ?? 0.5 };
  const { hiddenTests = [] } = candidate;
  const listed = withHiddenTests({ snapshot: options.snapshot, candidate });
  const settings = { executor, timeoutMs, ...(signal === undefined ? {} : { signal }) };

  const files = await readCandidate({ snapshot: listed, candidate });
  gates.push(changesSourcesOnly({ files, hiddenPaths: listed.hiddenPaths }));
  // What the files alone can refuse comes before anything runs.
  const gold = gitPatch({ files: files.map(({ path, agent, solved }) => ({ path, before: agent, after: solved })) });
  gates.push(goldRestoresSnapshot({ files, goldPatch: gold, snapshotHash: listed.hash }));
  gates.push(await treeHoldsNoAnswer({ snapshot: listed, goldPatch: gold, changed: files.map(({ path }) => path) }));

  const tests = testEdits(candidate);
  const [agentEdits, solvedEdits] = [candidate.edits, candidate.solution ?? []].map((edits) => [...edits, ...tests]) as [
    TreeEdit[],
    TreeEdit[],
  ];
  const isSnapshot = solvedEdits.length === 0;
  const solved = isSnapshot
    ? null
    : await runSolvedTree({ ...settings, snapshot: listed, edits: solvedEdits, replaced: hiddenTests.map(({ file }) => file), runs: 2 });
  const snapshot = solved === null ? listed : { ...listed, baseline: solved.baseline };
  const suite = { ...settings, snapshot };

  const testFilesFor = isSnapshot ? options.testFilesFor : undefined;
  const changes = files.map(({ path, snapshot: before, agent }) => ({ path, before, after: agent }));
  const selected = impactedTestFiles({ snapshot, changes, testFilesFor });
  const buggy = await runBuggyTree({ ...suite, edits: agentEdits, selected, bounds });
  const { failToPass } = buggy;
  gates.push(buggy.gate);

  const after =
    solved === null
      ? await runRestoredTree({ ...suite, failToPass, passed: buggy.passed, runs: goldRunsOf(options), baselineRuns })
      : { passToPass: buggy.passed, gate: solved.gate };
  const { passToPass } = after;
  gates.push(after.gate);

  const { hiddenPaths } = snapshot;
  const trees = { ...suite, candidate, files, buggy, agentEdits, solvedEdits };
  const stated = await stateTask({
    ...trees,
    goldPatch: gold,
    passToPass,
    rung,
    examples: options.examples ?? 'when-stated',
    random,
    gates,
  });

  const failures = (file: string) => failToPass.filter((id) => id.startsWith(`${file}::`)).length;
  const nearFiles = snapshot.testFiles.filter((file) => failures(file) > 0).sort((one, other) => failures(other) - failures(one));
  const control = { ...suite, files, solvedEdits, graded: [...failToPass, ...passToPass], nearFiles, testFilesFor, random };
  if (controls.wrongFixes) gates.push(await wrongFixesFail({ ...control, variants: controls.wrongFixes }));
  if (controls.otherFixes) gates.push(await otherFixesPass({ ...control, variants: controls.otherFixes }));

  const hidden = await hashHiddenFiles({ directory: snapshot.directory, hiddenPaths, added: hiddenTests });
  const addressed = { goldPatch: gold, hiddenTestsHash: hidden.hash };
  const data = createTaskData({
    ...addressed,
    snapshot,
    lineage: { ...candidate.lineage, statementRung: stated.rung },
    instruction: stated.instruction,
    failToPass,
    passToPass,
    limits: options.limits,
    timeoutMs: options.verifierTimeoutMs ?? timeoutMs,
  });
  const draft = {
    ...addressed,
    candidateId: candidateIdOf({ snapshot, candidate }),
    data,
    facts: stated.facts,
    edits: candidate.edits,
    agentFiles: files.map(({ path, agent: text }) => ({ path, text })),
    bugPatch: gitPatch({ files: files.map(({ path, snapshot: before, agent }) => ({ path, before, after: agent })) }),
    hiddenTests,
    hiddenPaths,
    hiddenFiles: hidden.files,
    gates,
  };
  return { status: 'valid', draft };
}

/** Passing must be seen twice; the baseline's runs count, since the restored tree is the snapshot byte for byte. */
function goldRunsOf({ baselineRuns = 0, goldRuns = baselineRuns >= 2 ? 1 : 2 }: ValidationSettings): number {
  if (goldRuns + baselineRuns >= 2) return goldRuns;
  throw new TadpoleError({
    code: 'invalid-config',
    message: `Expected goldRuns + baselineRuns >= 2, got ${goldRuns} and ${baselineRuns}; passing must be seen twice.`,
  });
}

function assertSnapshot(snapshot: Snapshot): void {
  const visible = snapshot.testFiles.find((file) => !isHidden({ file, hiddenPaths: snapshot.hiddenPaths }));
  if (visible !== undefined) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected every test file of ${snapshot.source} below its hidden paths, got ${visible}; an agent would see it. Add it to hiddenPaths.`,
    });
  }
  if (snapshot.baseline.length === 0) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a baseline of passing tests for ${snapshot.source}, got none; run its suite first.`,
    });
  }
}
