import type { Snapshot, TestExecutor, TreeEdit } from '@tadpole/contracts';
import { type Comparison, compareRun } from './compare-run.js';
import { Refusal, type RefusalReason } from './validation.js';

/** What all executions of one validation share. */
export interface SuiteSettings {
  readonly snapshot: Snapshot;
  readonly executor: TestExecutor;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

interface SuiteRun extends SuiteSettings {
  readonly edits: readonly TreeEdit[];
  /** @default all of the snapshot's */
  readonly testFiles?: readonly string[];
}

/** Runs tests on a tree and compares them with the baseline; `crashed` or `timed-out` where nothing is known about single tests. */
export async function compareSuite(
  run: SuiteRun,
): Promise<Comparison | { readonly status: 'crashed' | 'timed-out'; readonly detail: string }> {
  const { snapshot, executor, edits, testFiles, timeoutMs, signal } = run;
  const only = testFiles === undefined ? {} : { testFiles };
  const result = await executor.execute({ snapshot, edits, timeoutMs, ...only, ...(signal === undefined ? {} : { signal }) });
  if (result.status === 'completed') return compareRun({ tests: result.tests, baseline: snapshot.baseline, ...only });
  const detail = result.status === 'timed-out' ? `no result within ${timeoutMs} ms` : `no report: ${result.output.slice(-200).trim()}`;
  return { status: result.status, detail };
}

/** As {@link compareSuite}; a run that says nothing about single tests is a {@link Refusal}. */
export async function executeSuite(
  options: SuiteRun & {
    gate: string;
    /** Reason to give instead of `crashed` and `timed-out`. */
    reason?: RefusalReason;
  },
): Promise<Comparison> {
  const result = await compareSuite(options);
  if (!('status' in result)) return result;
  throw new Refusal({ reason: options.reason ?? result.status, detail: result.detail, gate: options.gate });
}
