import type { Scored } from '@tadpole/contracts';
import { throwIfAborted } from '../throw-if-aborted.js';
import { firstOf } from '../until-deadline.js';
import { countOutcomes, type RollOut, requestMore, type TaskCount } from './measure-wave.js';
import type { CalibrationCandidate } from './measurement.js';

/** A round of rollouts, before it begins. */
export interface RoundEvent {
  readonly type: 'calibration-round';
  readonly round: number;
  readonly tasks: number;
  readonly rollouts: number;
}

/** Rollouts wanted of one task. */
export interface Wanted {
  readonly count: TaskCount<CalibrationCandidate>;
  readonly most: number;
}

/** Runs rounds of rollouts within a budget. */
export interface RolloutMeter {
  /** Asked for so far. */
  rollouts(): number;
  /** Measures as many of the first tasks as the budget allows in one call of `rollOut`, and returns how many those were. */
  measure(wanted: readonly Wanted[]): AsyncGenerator<RoundEvent, number>;
}

/** A meter that has spent nothing. */
export function createRolloutMeter(options: {
  rollOut: RollOut<CalibrationCandidate>;
  isSuccess: (outcome: Scored) => boolean;
  maxRollouts: number;
  signal: AbortSignal | undefined;
  /** Ends the rollouts in flight; those that have ended count. */
  deadline?: AbortSignal | undefined;
}): RolloutMeter {
  const { rollOut, isSuccess, maxRollouts, signal, deadline } = options;
  const end = firstOf(signal, deadline);
  let [rollouts, round] = [0, 0];
  return {
    rollouts: () => rollouts,
    async *measure(wanted) {
      throwIfAborted(signal, 'Calibration');
      let asked = 0;
      const affordable = wanted.filter(({ most }) => {
        asked += most;
        return rollouts + asked <= maxRollouts;
      });
      if (affordable.length === 0) return 0;
      const requests = affordable.map(requestMore);
      const sum = affordable.reduce((total, { most }) => total + most, 0);
      yield { type: 'calibration-round', round, tasks: affordable.length, rollouts: sum };
      const outcomes = rollOut({ requests, ...(end === undefined ? {} : { signal: end }) });
      await countOutcomes({ counts: affordable.map(({ count }) => count), outcomes, isSuccess, deadline });
      throwIfAborted(signal, 'Calibration');
      rollouts += sum;
      round++;
      return affordable.length;
    },
  };
}
