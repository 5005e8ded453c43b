import type { Snapshot, SpanEdit, TestExecutor } from '@tadpole/contracts';
import { type Comparison, compareRun } from './compare-run.js';
import { Refusal, type RefusalReason } from './validation.js';

/** What all executions of one validation share. */
export interface SuiteSettings {
  readonly snapshot: Snapshot;
  readonly executor: TestExecutor;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Runs tests on a tree and compares them with the baseline; a run that says nothing about single tests is a {@link Refusal}. */
export async function executeSuite(
  options: SuiteSettings & {
    edits: readonly SpanEdit[];
    testFiles?: readonly string[];
    gate: string;
    /** Reason to give instead of `crashed` and `timed-out`. */
    reason?: RefusalReason;
  },
): Promise<Comparison> {
  const { executor, gate, reason, ...run } = options;
  const result = await executor.execute(run);
  const { snapshot, testFiles, timeoutMs } = run;
  if (result.status === 'completed') {
    return compareRun({ tests: result.tests, baseline: snapshot.baseline, ...(testFiles === undefined ? {} : { testFiles }) });
  }
  const detail = result.status === 'timed-out' ? `no result within ${timeoutMs} ms` : `no report: ${result.output.slice(-200).trim()}`;
  throw new Refusal({ reason: reason ?? result.status, detail, gate });
}
