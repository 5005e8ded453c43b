import type { PriorModel } from '../calibrate/prior-model.js';
import type { MoveEffects } from './create-move-effects.js';
import type { RolloutCount } from './parents-rate.js';

/** What a task was refined from. */
export interface RefinedChild {
  readonly move: string;
  /** Their counts at `checkpoint`. */
  readonly parents: readonly RolloutCount[];
  /** Index of the checkpoint at which it was made. */
  readonly checkpoint: number;
}

/**
 * Priors that know refinement: a child's comes from its parents' rollouts and its move's learned effect, moved by the gain in
 * ability since; every other candidate's from `fallback`. Both learn from what is measured; an effect only from a child's
 * measurement at the checkpoint of its parents', since later ones hold the gain too.
 */
export function refinablePriors(options: {
  fallback: PriorModel;
  effects: MoveEffects;
  /** `undefined` for a task that no move made. */
  childOf: (taskId: string) => RefinedChild | undefined;
}): PriorModel {
  const { fallback, effects, childOf } = options;
  return {
    priorOf({ candidate, checkpoints }) {
      const child = childOf(candidate.id);
      if (child === undefined) return fallback.priorOf({ candidate, checkpoints });
      const shift = (checkpoints.at(-1)?.ability ?? 0) - (checkpoints[child.checkpoint]?.ability ?? 0);
      return effects.priorOf({ move: child.move, parents: child.parents, shift });
    },
    observe(measurement) {
      fallback.observe(measurement);
      const { taskId, successes, trials, checkpoint } = measurement;
      const child = childOf(taskId);
      if (child?.checkpoint === checkpoint) effects.observe({ move: child.move, parents: child.parents, successes, trials });
    },
  };
}
