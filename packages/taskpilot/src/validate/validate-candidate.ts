import { type Candidate, type Gate, type SandboxLimits, type Snapshot, TadpoleError, type TestExecutor } from '@tadpole/contracts';
import { bugPatch, goldPatch } from '../edit/git-patch.js';
import { createLineIndex } from '../generator/line-index.js';
import { lintStatement } from '../statement/lint-statement.js';
import { regionAround } from '../statement/region-around.js';
import { type StatementFacts, type StatementRung, writeStatement } from '../statement/write-statement.js';
import { candidateIdOf, readTrees } from './candidate-trees.js';
import { chooseSymptom } from './choose-symptom.js';
import { hashHiddenFiles, isHidden } from './hidden-files.js';
import { runBuggyTree } from './run-buggy-tree.js';
import { runRestoredTree } from './run-restored-tree.js';
import { addedLines, createTaskData, statementGate } from './task-draft.js';
import { changesSourcesOnly, goldRestoresSnapshot } from './tree-gates.js';
import { Refusal, type Validation } from './validation.js';

/** How candidates are validated; the same for all of a run. */
export interface ValidationSettings {
  readonly executor: TestExecutor;
  /** Limits of the sandbox in which the task will be worked on and graded. */
  readonly limits: SandboxLimits;
  /** Rung of the statement ladder. @default 'line' */
  readonly rung?: StatementRung;
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
  /** Test files that can reach a source file, for a cheaper first run; `undefined` means all. The later runs are always of the whole suite. */
  readonly testFilesFor?: (file: string) => readonly string[] | undefined;
}

/**
 * Decides by execution whether a candidate is a task. The buggy tree runs twice and must fail alike, for the
 * right reason (see the refusal reasons); the gold patch must give back the snapshot byte for byte, and the restored tree
 * must pass. The first buggy run that passes ends it. The statement is written from what the tests printed.
 *
 * Not covered: whether hidden tests would also refuse a wrong fix, or accept every right one.
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
  const { snapshot, candidate, executor, random, gates, signal, rung = 'line', timeoutMs = 20_000, baselineRuns = 0 } = options;
  const bounds = { maxMissingShare: options.maxMissingShare ?? 0.1, maxFailingShare: options.maxFailingShare ?? 0.5 };
  const suite = { snapshot, executor, timeoutMs, ...(signal === undefined ? {} : { signal }) };
  const { file, line, operator } = candidate.lineage;

  const files = await readTrees({ snapshot, candidate });
  gates.push(changesSourcesOnly({ files, hiddenPaths: snapshot.hiddenPaths }));

  const buggy = await runBuggyTree({ ...suite, edits: candidate.edits, selected: options.testFilesFor?.(file), bounds });
  const { failToPass } = buggy;
  gates.push(buggy.gate);

  const gold = goldPatch({ files });
  gates.push(goldRestoresSnapshot({ files, goldPatch: gold, snapshotHash: snapshot.hash }));

  const after = await runRestoredTree({ ...suite, failToPass, passed: buggy.passed, runs: goldRunsOf(options), baselineRuns });
  gates.push(after.gate);

  const symptom = chooseSymptom(buggy);
  if (symptom === null)
    throw new Refusal({ reason: 'no-symptom', detail: 'no failing test reported the same twice', gate: 'statement-is-true' });
  const buggyText = files.find(({ path }) => path === file)?.buggy ?? '';
  const { lineCount } = createLineIndex(buggyText);
  const lineText = (buggyText.split(/\r?\n/)[line - 1] ?? '').trimEnd();
  const facts: StatementFacts = { file, line, lineText, region: regionAround({ line, lineCount, random }), ...symptom };
  const instruction = writeStatement({ ...facts, rung });
  const lint = lintStatement({ statement: instruction, goldLines: addedLines(gold), operator, hiddenPaths: snapshot.hiddenPaths });
  if (!lint.ok) throw new Refusal({ reason: 'leaky-statement', detail: lint.leaks.join(', '), gate: statementGate });
  gates.push({ name: statementGate, passed: true, evidence: { statement: instruction, rung } });

  const hidden = await hashHiddenFiles({ directory: snapshot.directory, hiddenPaths: snapshot.hiddenPaths });
  const addressed = { goldPatch: gold, hiddenTestsHash: hidden.hash };
  const data = createTaskData({
    ...addressed,
    snapshot,
    lineage: { ...candidate.lineage, statementRung: rung },
    instruction,
    failToPass,
    passToPass: after.passToPass,
    limits: options.limits,
    timeoutMs: options.verifierTimeoutMs ?? timeoutMs,
  });
  const draft = {
    ...addressed,
    candidateId: candidateIdOf({ snapshot, candidate }),
    data,
    facts,
    edits: candidate.edits,
    buggyFiles: files.map(({ path, buggy: text }) => ({ path, text })),
    bugPatch: bugPatch({ files }),
    hiddenPaths: snapshot.hiddenPaths,
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
