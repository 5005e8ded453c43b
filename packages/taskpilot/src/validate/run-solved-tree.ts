import type { Candidate, Gate, Snapshot, TestResult, TreeEdit } from '@tadpole/contracts';
import type { SuiteSettings } from './execute-suite.js';
import { isHidden } from './hidden-files.js';
import { Refusal } from './validation.js';

/** Edits that lay a candidate's own tests into a tree. */
export function testEdits({ hiddenTests = [] }: Pick<Candidate, 'hiddenTests'>): readonly TreeEdit[] {
  return hiddenTests.map(({ file, content }) => ({ file, content }));
}

/** The snapshot with a candidate's own tests among its test files and hidden paths; the baseline stays as it was. */
export function withHiddenTests(options: { snapshot: Snapshot; candidate: Candidate }): Snapshot {
  const { snapshot, candidate } = options;
  const files = (candidate.hiddenTests ?? []).map(({ file }) => file);
  if (files.length === 0) return snapshot;
  const { hiddenPaths } = snapshot;
  return {
    ...snapshot,
    testFiles: [...new Set([...snapshot.testFiles, ...files])],
    hiddenPaths: [...hiddenPaths, ...files.filter((file) => !isHidden({ file, hiddenPaths }))],
  };
}

/**
 * Runs a solved tree that is not the snapshot itself: what passes in every run is what an agent's tree is compared with.
 * Tests of the snapshot must go on passing, those of files that the candidate replaces aside. Throws {@link Refusal}.
 *
 * @returns the tests that pass, as the baseline of the candidate's agent's tree.
 */
export async function runSolvedTree(
  options: SuiteSettings & { edits: readonly TreeEdit[]; replaced: readonly string[]; runs: number },
): Promise<{ baseline: readonly TestResult[]; gate: Gate }> {
  const { snapshot, executor, replaced, runs, ...run } = options;
  const name = 'passes-after';
  const refuse = (detail: string, evidence?: Gate['evidence']) =>
    new Refusal({ reason: 'gold-fails', detail, gate: name, ...(evidence && { evidence }) });
  const results: (readonly TestResult[])[] = [];
  for (let index = 0; index < runs; index++) {
    const result = await executor.execute({ ...run, snapshot });
    if (result.status !== 'completed') throw refuse(`the solved tree ${result.status}: ${result.output.slice(-200).trim()}`);
    results.push(result.tests);
  }
  const passed = results.map((tests) => new Set(tests.filter(({ status }) => status === 'passed').map(({ id }) => id)));
  const isStable = (id: string) => passed.every((ids) => ids.has(id));
  const broken = snapshot.baseline.filter(({ id, file }) => !replaced.includes(file) && !isStable(id)).map(({ id }) => id);
  if (broken.length > 0) throw refuse(`breaks ${broken.length} tests of the snapshot: ${broken.slice(0, 3).join(', ')}`, { broken });
  const baseline = (results[0] ?? []).filter(({ id }) => isStable(id));
  const before = new Set(snapshot.baseline.map(({ id }) => id));
  if (replaced.length > 0 && !baseline.some(({ id, file }) => replaced.includes(file) && !before.has(id)))
    throw refuse('none of the hidden tests passes in every run of the solved tree');
  return { baseline, gate: { name, passed: true, evidence: { executedNow: runs, passed: baseline.length, hiddenTests: replaced } } };
}
