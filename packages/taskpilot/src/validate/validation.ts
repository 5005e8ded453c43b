import type { Gate } from '@tadpole/contracts';
import type { TaskDraft } from './task-draft.js';

/**
 * Why a candidate is no task (closed):
 * `malformed` (its edits lie outside of the snapshot or do not fit its files) · `no-change` · `hidden-file-edited` (it changes what the grader owns) · `not-killed` (no test notices) ·
 * `crashed` and `timed-out` (nothing is known about single tests) · `missing-tests` (too many are gone) ·
 * `too-many-failures` · `wrong-reason` (code does not load) · `flaky` (two runs differ) ·
 * `not-restorable` (the gold patch does not give the snapshot back) · `gold-fails` (the restored tree does
 * not pass) · `no-symptom` (no failure says anything stable) · `under-specified` (the statement does not say an input, what it gives
 * and what it should give, or no such input could be reproduced) · `leaky-statement` · `leaky-tree` (the agent's tree holds the answer
 * elsewhere) · `weak-tests` (wrong fixes pass) · `over-tight-tests` (right fixes in another form fail, or every
 * test asks for something by its exact text that the agent cannot know)
 */
export type RefusalReason =
  | 'malformed'
  | 'no-change'
  | 'hidden-file-edited'
  | 'not-killed'
  | 'crashed'
  | 'timed-out'
  | 'missing-tests'
  | 'too-many-failures'
  | 'wrong-reason'
  | 'flaky'
  | 'not-restorable'
  | 'gold-fails'
  | 'no-symptom'
  | 'under-specified'
  | 'leaky-statement'
  | 'leaky-tree'
  | 'weak-tests'
  | 'over-tight-tests';

/** The verdict on a candidate, with every gate that it reached, the failed one last. */
export type Validation =
  | { readonly status: 'valid'; readonly draft: TaskDraft }
  | { readonly status: 'refused'; readonly reason: RefusalReason; readonly detail: string; readonly gates: readonly Gate[] };

/** Internal: ends a validation early; never leaves the package. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;
  readonly gate: Gate;

  constructor(options: { reason: RefusalReason; detail: string; gate: string; evidence?: Gate['evidence'] }) {
    super(options.detail);
    this.reason = options.reason;
    this.gate = { name: options.gate, passed: false, evidence: { ...options.evidence, detail: options.detail } };
  }
}
