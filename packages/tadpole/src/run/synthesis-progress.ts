import type { TadpoleEvent } from '@tadpole/contracts';

/** How far the synthesis of the iteration at hand has come. */
export interface SynthesisProgress {
  readonly iteration: number;
  readonly proposed: number;
  readonly valid: number;
  /** Tasks with a verdict from at least one scored rollout. */
  readonly measured: number;
  readonly inBand: number;
  readonly admitted: number;
  /** Rounds of calibration that began, and what the last of them asks for. */
  readonly rounds: number;
  readonly lastRound: { readonly tasks: number; readonly rollouts: number };
  /** Calibration rollouts that ended. */
  readonly rollouts: number;
  /** United States dollars of those rollouts; null where none says a price. */
  readonly costUsd: number | null;
}

/** Nothing proposed and nothing measured yet. */
export function noSynthesis(iteration: number): SynthesisProgress {
  const counts = { proposed: 0, valid: 0, measured: 0, inBand: 0, admitted: 0, rounds: 0, rollouts: 0 };
  return { iteration, ...counts, lastRound: { tasks: 0, rollouts: 0 }, costUsd: null };
}

/** The progress after one more event, which is no repetition. An iteration's start, and the first event of another, begin anew. Pure. */
export function advanceSynthesis(options: { progress: SynthesisProgress; event: TadpoleEvent }): SynthesisProgress {
  const { event } = options;
  const isNew = 'iteration' in event && (event.type === 'iteration-start' || event.iteration !== options.progress.iteration);
  const progress = isNew ? noSynthesis(event.iteration) : options.progress;
  switch (event.type) {
    case 'candidate-refuse':
      return { ...progress, proposed: progress.proposed + 1 };
    case 'candidate-validate':
      return { ...progress, proposed: progress.proposed + 1, valid: progress.valid + 1 };
    case 'calibration-round':
      return { ...progress, rounds: progress.rounds + 1, lastRound: { tasks: event.tasks, rollouts: event.rollouts } };
    case 'candidate-calibrate': {
      const measured = event.trials > 0 ? 1 : 0;
      const inBand = event.verdict === 'in-band' ? measured : 0;
      return { ...progress, measured: progress.measured + measured, inBand: progress.inBand + inBand };
    }
    case 'task-admit':
      return { ...progress, admitted: progress.admitted + 1 };
    case 'rollout-end': {
      if (event.purpose !== 'calibration') return progress;
      return { ...progress, rollouts: progress.rollouts + 1, costUsd: addCost(progress.costUsd, event.usage.costUsd) };
    }
    default:
      return progress;
  }
}

/** A sum of prices of which some are not known; null while none is. */
export function addCost(sum: number | null, costUsd: number | undefined): number | null {
  return costUsd === undefined ? sum : (sum ?? 0) + costUsd;
}
