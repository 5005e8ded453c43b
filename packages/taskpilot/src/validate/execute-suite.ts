import type { Snapshot, SpanEdit, TestExecutor } from '@tadpole/contracts';
import { type Comparison, compareRun } from './compare-run.js';
import { Refusal, type RefusalReason } from './validation.js';

/** Runs tests on a tree and compares them with the baseline; a run that says nothing about single tests is a {@link Refusal}. */
export async function executeSuite(options: {
  snapshot: Snapshot;
  executor: TestExecutor;
  edits: readonly SpanEdit[];
  testFiles?: readonly string[];
  timeoutMs: number;
  gate: string;
  /** Reason to give instead of `crashed` and `timed-out`. */
  reason?: RefusalReason;
  signal?: AbortSignal;
}): Promise<Comparison> {
  const { snapshot, executor, edits, testFiles, timeoutMs, gate, reason, signal } = options;
  const run = await executor.execute({
    snapshot,
    edits,
    timeoutMs,
    ...(testFiles === undefined ? {} : { testFiles }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (run.status === 'completed') return compareRun({ tests: run.tests, baseline: snapshot.baseline, ...(testFiles === undefined ? {} : { testFiles }) });
  const detail = run.status === 'timed-out' ? `no result within ${timeoutMs} ms` : `no report: ${run.output.slice(-200).trim()}`;
  throw new Refusal({ reason: reason ?? run.status, detail, gate });
}
