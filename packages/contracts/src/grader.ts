import type { Outcome } from './outcome.js';
import type { Task } from './task.js';

/**
 * Decides whether a patch solves a task: a fresh sandbox, the patch on the base, and only now what grades it. For named
 * tests: protected paths restored, hidden tests copied in, per-test results from a structured reporter. For a script: the
 * reward that it leaves, read as untrusted input.
 */
export interface Grader {
  /** Never throws for what the patch does: a patch that does not apply or breaks the tests scores 0.
   * A failed boundary is `Unscored`. @throws TadpoleError `aborted` or `invalid-input` only. */
  grade(options: { task: Task; patch: string; signal?: AbortSignal }): Promise<Outcome>;
}
