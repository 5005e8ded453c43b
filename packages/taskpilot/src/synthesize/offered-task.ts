import type { Candidate, DiscardReason, Snapshot } from '@tadpole/contracts';
import type { CandidateVerdict } from '../calibrate/calibrate-iteration.js';
import type { CalibrationCandidate } from '../calibrate/measurement.js';
import type { CandidateFacts } from '../generator/candidate-facts.js';
import type { TaskDraft } from '../validate/task-draft.js';

/** A validated task that was offered to the calibrator, with what became of it. */
export interface OfferedTask {
  readonly snapshot: Snapshot;
  readonly candidate: Candidate;
  readonly draft: TaskDraft;
  readonly facts: CandidateFacts;
  readonly calibration: CalibrationCandidate;
  /** Tasks that it was refined from; empty for a fresh one. */
  readonly parents: readonly string[];
  /** Refinements that led to it; 0 for a fresh one. */
  readonly steps: number;
  /** At this checkpoint. */
  verdict?: CandidateVerdict;
  /** Why it is not admitted, whatever its difficulty. */
  objection?: Objection;
  /** Of its scored rollouts; `Infinity` where one does not say its turns. */
  mostTurns: number;
  /** A task made of it was offered. */
  isRefined: boolean;
}

/** Why a task is not taken, in words too. */
export interface Objection {
  readonly reason: DiscardReason;
  readonly detail: string;
}

/** Solved every time in at most three turns: the answer stands in the question. */
export function isTrivial({ verdict, mostTurns }: OfferedTask): boolean {
  return verdict !== undefined && verdict.trials > 0 && verdict.successes === verdict.trials && mostTurns <= 3;
}

/** Why a task that was not admitted was not. */
export function discardOf(task: OfferedTask): Objection {
  const { verdict } = task;
  if (verdict === undefined)
    return task.objection ?? { reason: 'unfinished', detail: 'the iteration ended while it waited or was measured' };
  const measured = `${verdict.successes} of ${verdict.trials} solved`;
  if (task.isRefined) return { reason: 'refined', detail: `${measured}; a task made of it takes its place` };
  if (verdict.trials === 0 && verdict.unscored === 0)
    return { reason: 'hopeless', detail: 'its prior left too little chance for a rollout' };
  switch (verdict.verdict) {
    case 'undecided':
      return { reason: 'undecided', detail: `${measured}, ${verdict.unscored} rollouts without a score` };
    case 'too-easy':
      return isTrivial(task)
        ? { reason: 'trivial', detail: `${measured} in at most ${task.mostTurns} turns` }
        : { reason: 'too-easy', detail: measured };
    case 'too-hard':
      return { reason: verdict.successes === 0 ? 'never-solved' : 'too-hard', detail: measured };
    case 'in-band':
      return (
        task.objection ?? { reason: 'quota', detail: `${measured}; the count was reached, or its strategy or repository has its share` }
      );
  }
}
