import type { Candidate, Snapshot } from '@tadpole/contracts';
import type { CandidateFacts } from '../generator/candidate-facts.js';
import type { TemplateRung } from '../statement/write-statement.js';
import type { TaskDraft } from '../validate/task-draft.js';

/** A validated task with what the current policy was seen to make of it. */
export interface MeasuredTask {
  readonly snapshot: Snapshot;
  readonly candidate: Candidate;
  readonly draft: TaskDraft;
  readonly facts: CandidateFacts;
  /** Scored rollouts of it at this checkpoint. */
  readonly successes: number;
  readonly trials: number;
  /** Of its solve rate, after them. */
  readonly posteriorMean: number;
  /** Refinements that led to it; 0 for a fresh task. */
  readonly steps: number;
}

/** What a move makes of measured tasks. */
export interface Refinement {
  /** Another statement of the same bug, valid already; or a candidate that is still to be validated. */
  readonly proposal:
    | { readonly kind: 'draft'; readonly draft: TaskDraft }
    | { readonly kind: 'candidate'; readonly candidate: Candidate; readonly rung: TemplateRung };
  /** The tasks that it was made of: one, or the parts of a combination. */
  readonly parents: readonly MeasuredTask[];
}

/** One way to make a measured task harder or easier: one thing is changed, everything else stays. */
export interface RefinementMove {
  /** The bandit's arm, for instance `say-less`. */
  readonly name: string;
  /** What it is for: tasks that were too easy, or tasks that were too hard. */
  readonly makes: 'harder' | 'easier';
  /** Effect on the logit of the solve rate, or of the product of several parents' rates, before any was seen (taskpilot.md section 6). */
  readonly expectedEffect: { readonly mean: number; readonly spread: number };
  /**
   * Refinements of one task, the most promising first; none where it does not apply. `others` are tasks of the same snapshot and
   * checkpoint: those of the same verdict may be taken as further parents, all of them tell what is known already.
   *
   * Its children are checked by `refinementMoveConformance`. It throws TadpoleError `aborted` by the signal and `storage` when a
   * source file cannot be read.
   */
  propose(options: {
    task: MeasuredTask;
    others: readonly MeasuredTask[];
    /** Uniform in [0, 1). */
    random: () => number;
    signal?: AbortSignal;
  }): AsyncIterable<Refinement>;
}
