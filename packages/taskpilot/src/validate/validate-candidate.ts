import { createHash } from 'node:crypto';
import { type Candidate, type Gate, type SandboxLimits, type Snapshot, TadpoleError, type TestExecutor } from '@tadpole/contracts';
import { bugPatch, goldPatch } from '../edit/git-patch.js';
import { restoreSnapshot } from '../edit/restore-snapshot.js';
import { createLineIndex } from '../generator/line-index.js';
import { lintStatement } from '../statement/lint-statement.js';
import { regionAround } from '../statement/region-around.js';
import { type StatementFacts, type StatementRung, writeStatement } from '../statement/write-statement.js';
import { candidateIdOf, readTrees } from './candidate-trees.js';
import { chooseSymptom } from './choose-symptom.js';
import { executeSuite } from './execute-suite.js';
import { hashHiddenFiles, isHidden } from './hidden-files.js';
import { requireFailure } from './require-failure.js';
import { addedLines, createTaskData } from './task-draft.js';
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
  /** Executions of the restored tree. @default 1 when `baselineRuns` is 2 or more, since restored bytes equal the baseline's; else 2 */
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
 * @throws TadpoleError `invalid-input` for a snapshot without a baseline or with a visible test file, and
 * whatever the executor throws (`sandbox`, `aborted`): a failed boundary says nothing about the candidate.
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
  const gates: Gate[] = [];
  try {
    return await passGates({ ...options, gates });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 'refused', reason: error.reason, detail: error.message, gates: [...gates, error.gate] };
  }
}

async function passGates(options: Parameters<typeof validateCandidate>[0] & { gates: Gate[] }): Promise<Validation> {
  const { snapshot, candidate, executor, random, gates, signal } = options;
  const { rung = 'line', timeoutMs = 20_000, baselineRuns = 0, goldRuns = baselineRuns >= 2 ? 1 : 2 } = options;
  const bounds = { maxMissingShare: options.maxMissingShare ?? 0.1, maxFailingShare: options.maxFailingShare ?? 0.5 };
  const { file, line, operator } = candidate.lineage;
  const suiteSize = snapshot.baseline.length;
  const common = { snapshot, executor, timeoutMs, ...(signal === undefined ? {} : { signal }) };

  const files = await readTrees({ snapshot, candidate });
  const hiddenEdit = files.find(({ path }) => isHidden({ file: path, hiddenPaths: snapshot.hiddenPaths }));
  if (hiddenEdit !== undefined) throw new Refusal({ reason: 'hidden-file-edited', detail: hiddenEdit.path, gate: 'changes-sources-only' });
  if (files.every(({ snapshot: before, buggy }) => before === buggy)) {
    throw new Refusal({ reason: 'no-change', detail: 'the edits leave the tree as it was', gate: 'changes-sources-only' });
  }
  gates.push({ name: 'changes-sources-only', passed: true, evidence: { files: files.map(({ path }) => path) } });

  const fails = 'fails-before';
  const selected = options.testFilesFor?.(file);
  if (selected?.length === 0) throw new Refusal({ reason: 'not-killed', detail: `no test file reaches ${file}`, gate: fails });
  const first = await executeSuite({ ...common, edits: candidate.edits, gate: fails, ...(selected === undefined ? {} : { testFiles: selected }) });
  requireFailure({ run: first, suiteSize, bounds, gate: fails });
  const second = await executeSuite({ ...common, edits: candidate.edits, gate: fails });
  const failToPass = first.failed.map((test) => test.id).sort();
  const again = second.failed.map((test) => test.id).sort();
  if (failToPass.join('\n') !== again.join('\n')) {
    const detail = `${failToPass.length} tests failed in the first run, ${again.length} in the second, and not the same`;
    throw new Refusal({ reason: 'flaky', detail, gate: fails, evidence: { first: failToPass, second: again } });
  }
  requireFailure({ run: second, suiteSize, bounds, gate: fails });
  gates.push({
    name: fails,
    passed: true,
    evidence: { runs: 2, firstRunFiles: selected ?? 'all', failToPass, missing: second.missing.length, suiteSize, bounds },
  });

  const gold = goldPatch({ files });
  const restored = restoreSnapshot({ files, goldPatch: gold });
  const broken = restored.find((entry) => entry.restored === null);
  if (broken !== undefined) throw new Refusal({ reason: 'not-restorable', detail: broken.path, gate: 'gold-restores-snapshot' });
  gates.push({
    name: 'gold-restores-snapshot',
    passed: true,
    evidence: { snapshotHash: snapshot.hash, files: files.map((entry) => ({ path: entry.path, sha256: sha256(entry.snapshot) })) },
  });

  let passing = [...second.passed];
  for (let run = 0; run < goldRuns; run++) {
    const after = await executeSuite({ ...common, edits: [], gate: 'passes-after', reason: 'gold-fails' });
    const unsolved = failToPass.filter((id) => !after.passed.has(id));
    if (unsolved.length > 0) {
      throw new Refusal({ reason: 'gold-fails', detail: `not passed with the gold patch: ${unsolved.slice(0, 3).join(', ')}`, gate: 'passes-after' });
    }
    passing = passing.filter((id) => after.passed.has(id));
  }
  gates.push({
    name: 'passes-after',
    passed: true,
    evidence: { executedNow: goldRuns, baselineRunsOfTheSameTree: baselineRuns, snapshotHash: snapshot.hash, passToPass: passing.length },
  });

  const symptom = chooseSymptom({ first: first.failed, second: second.failed });
  if (symptom === null) throw new Refusal({ reason: 'no-symptom', detail: 'no failing test reported the same twice', gate: 'statement-is-true' });
  const buggy = files.find(({ path }) => path === file)?.buggy ?? '';
  const region = regionAround({ line, lineCount: createLineIndex(buggy).lineCount, random });
  const facts: StatementFacts = { file, line, region, ...symptom };
  const instruction = writeStatement({ ...facts, rung });
  const lint = lintStatement({ statement: instruction, goldLines: addedLines(gold), operator, hiddenPaths: snapshot.hiddenPaths });
  const lintGate = 'statement-gives-nothing-away';
  if (!lint.ok) throw new Refusal({ reason: 'leaky-statement', detail: lint.leaks.join(', '), gate: lintGate });
  gates.push({ name: lintGate, passed: true, evidence: { statement: instruction, rung } });

  const hidden = await hashHiddenFiles({ directory: snapshot.directory, hiddenPaths: snapshot.hiddenPaths });
  const addressed = { goldPatch: gold, hiddenTestsHash: hidden.hash };
  const data = createTaskData({
    ...addressed,
    snapshot,
    lineage: { ...candidate.lineage, statementRung: rung },
    instruction,
    failToPass,
    passToPass: passing,
    limits: options.limits,
    timeoutMs: options.verifierTimeoutMs ?? timeoutMs,
  });
  return {
    status: 'valid',
    draft: {
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
    },
  };
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
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a baseline of passing tests for ${snapshot.source}, got none; run its suite first.` });
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
