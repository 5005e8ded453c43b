import { TadpoleError } from '@tadpole/contracts';
import type { GridPrior } from '../calibrate/grid-prior.js';
import { defaultMoves } from './default-moves.js';
import {
  addLikelihoods,
  childLikelihood,
  type EffectLikelihood,
  effectPosterior,
  type MoveEffect,
  noLikelihood,
} from './effect-likelihood.js';
import { type MovedChild, type MoveEffectsState, movedChildSchema } from './move-effects-state.js';
import { movedPrior } from './moved-prior.js';
import { logitSpacedPrior, parentsRate, type RolloutCount } from './parents-rate.js';
import type { RefinementMove } from './refinement-move.js';

/** What each move does to the logit of the solve rate, learned from the children that were measured. */
export interface MoveEffects {
  /** @throws TadpoleError `invalid-input` for a move that it was not made for. */
  effectOf(move: string): MoveEffect;
  /**
   * A child's solve rate before any rollout of it. The same inputs give the same object while the effect stays within half a
   * logit and its spread within a quarter, so that what is computed from it can be kept.
   *
   * @throws TadpoleError `invalid-input` for a move that it was not made for.
   */
  priorOf(options: {
    move: string;
    parents: readonly RolloutCount[];
    /** How much abler the policy is than when the parents were measured, in logits. @default 0 */
    shift?: number;
  }): GridPrior;
  /** Learns from a measured child; one without a scored rollout says nothing. @throws TadpoleError `invalid-input` for no child. */
  observe(child: MovedChild): void;
  /** All that was observed, for another one to begin with. */
  state(): MoveEffectsState;
}

/**
 * Learns moves' effects online. A child's logit is modelled as its parents' (of several, the logit of the product of their rates),
 * plus the move's effect e ~ N(`expectedEffect.mean`, `expectedEffect.spread`²), plus N(0, s²) of its own, where s is .25, .5, 1 or
 * 1.5, equally likely before. The parents' rates have the posterior of their counts under `prior`, the child's count is binomial,
 * and (e, s) is weighed on a grid of e within ±6 by the exact likelihood. Smoothed logits of k of n would be biased here: parents are
 * chosen at the edge of what n rollouts can tell.
 *
 * A child's prior is the parents' posterior, moved by the mean of e and widened by its error and s together.
 */
export function createMoveEffects(
  options: {
    /** @default {@link defaultMoves} */
    moves?: readonly Pick<RefinementMove, 'name' | 'expectedEffect'>[];
    /** Of a parent before its rollouts; rates in ascending order. @default Beta(.4, .4), evenly in logits within ±10 */
    prior?: GridPrior;
    /** To begin with; see {@link parseMoveEffectsState}. @default nothing observed */
    state?: MoveEffectsState;
  } = {},
): MoveEffects {
  const { moves = defaultMoves(), prior = logitSpacedPrior(), state } = options;
  const expected = new Map(moves.map(({ name, expectedEffect }) => [name, expectedEffect]));
  const children: MovedChild[] = [];
  const learned = new Map<string, { likelihood: EffectLikelihood; children: number }>();
  const [bases, likelihoods, priors] = [new Map<string, GridPrior>(), new Map<string, EffectLikelihood>(), new Map<string, GridPrior>()];
  for (const child of state?.children ?? []) observe(child);
  return {
    effectOf,
    priorOf({ move, parents, shift = 0 }) {
      const { mean, standardError, spread } = effectOf(move);
      const moved = {
        mean: Math.round(2 * (mean + shift)) / 2,
        spread: Math.max(1, Math.round(4 * Math.hypot(standardError, spread))) / 4,
      };
      return kept(priors, [keyOf(parents), moved.mean, moved.spread], () => movedPrior({ base: baseOf(parents), ...moved }));
    },
    observe,
    state: () => ({ children: [...children] }),
  };

  function effectOf(move: string): MoveEffect {
    const effect = expected.get(move);
    if (effect === undefined) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `Expected one of the moves ${[...expected.keys()].join(', ')}, got ${move}; give createMoveEffects the loop's moves.`,
      });
    }
    const { likelihood, children: count } = learned.get(move) ?? { likelihood: noLikelihood(), children: 0 };
    return { ...effectPosterior({ expected: effect, likelihood }), children: count };
  }

  function observe(observed: MovedChild): void {
    const parsed = movedChildSchema.safeParse(observed);
    if (!parsed.success) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `observe: expected a child with its counts and its parents', got ${parsed.error.issues[0]?.message}.`,
        cause: parsed.error,
      });
    }
    const { move, parents, successes, trials } = parsed.data;
    if (trials === 0) return;
    children.push(parsed.data);
    const said = kept(likelihoods, [keyOf(parents), successes, trials], () =>
      childLikelihood({ child: { successes, trials }, base: baseOf(parents) }),
    );
    const before = learned.get(move) ?? { likelihood: noLikelihood(), children: 0 };
    learned.set(move, { likelihood: addLikelihoods(before.likelihood, said), children: before.children + 1 });
  }

  function baseOf(parents: readonly RolloutCount[]): GridPrior {
    return kept(bases, [keyOf(parents)], () => parentsRate({ parents, prior }));
  }
}

/** The same for the same parents in any order. */
function keyOf(parents: readonly RolloutCount[]): string {
  return parents
    .map(({ successes, trials }) => `${successes}/${trials}`)
    .sort()
    .join(' ');
}

function kept<Value>(values: Map<string, Value>, parts: readonly (string | number)[], make: () => Value): Value {
  const key = parts.join(' @ ');
  const known = values.get(key) ?? make();
  values.set(key, known);
  return known;
}
