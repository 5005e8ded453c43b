import { compareRuns, type RunComparison } from '@tadpole/evaluation';
import type { EventOf, RunRecords } from './run-records.js';

/** The evaluation before any update, the last one after updates, and the two compared pair by pair. */
export interface HeldOutComparison {
  readonly before: EventOf<'evaluation-end'> | undefined;
  readonly after: EventOf<'evaluation-end'> | undefined;
  /** Undefined until both evaluations have ended. */
  readonly paired: RunComparison | undefined;
  readonly beforeRollouts: readonly EventOf<'rollout-end'>[];
  readonly afterRollouts: readonly EventOf<'rollout-end'>[];
}

/** Finds and compares a run's first and last evaluation of the held-out tasks. Pure. */
export function heldOutComparison(records: RunRecords): HeldOutComparison {
  const before = records.evaluations.find(isBeforeTraining);
  const after = records.evaluations.findLast((evaluation) => !isBeforeTraining(evaluation));
  const beforeRollouts = rolloutsOf({ records, evaluation: before });
  const afterRollouts = rolloutsOf({ records, evaluation: after });
  const paired = before && after ? compareRuns({ before: beforeRollouts, after: afterRollouts }) : undefined;
  return { before, after, paired, beforeRollouts, afterRollouts };
}

function isBeforeTraining(evaluation: EventOf<'evaluation-end'>): boolean {
  return evaluation.iteration === 0 && evaluation.update === 0;
}

function rolloutsOf(options: {
  records: RunRecords;
  evaluation: EventOf<'evaluation-end'> | undefined;
}): readonly EventOf<'rollout-end'>[] {
  const version = options.evaluation?.weightsVersion;
  return options.records.rollouts.filter(({ purpose, weightsVersion }) => purpose === 'evaluation' && weightsVersion === version);
}
