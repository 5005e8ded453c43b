import type { Snapshot, TreeEdit } from './generator.js';
import type { TestResult } from './outcome.js';

/** What one execution of test files gave. Only `completed` says anything about single tests. */
export type TestRun =
  | { readonly status: 'completed'; readonly tests: readonly TestResult[]; readonly output: string; readonly durationMs: number }
  /** The process ended without a readable report (crash, load failure); `output` is its head and tail. */
  | { readonly status: 'crashed'; readonly output: string; readonly durationMs: number }
  | { readonly status: 'timed-out'; readonly output: string; readonly durationMs: number };

/** Runs test files of a snapshot with some edits applied, in a fresh sandbox. */
export interface TestExecutor {
  /** @throws TadpoleError `sandbox` when the boundary failed, `aborted` by the signal; never for what the tests do. */
  execute(options: {
    snapshot: Snapshot;
    edits: readonly TreeEdit[];
    /** @default all of the snapshot's test files */
    testFiles?: readonly string[];
    timeoutMs: number;
    signal?: AbortSignal;
  }): Promise<TestRun>;
}
