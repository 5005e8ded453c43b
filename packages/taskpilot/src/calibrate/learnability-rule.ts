import { TadpoleError } from '@tadpole/contracts';
import type { DecisionRule } from './decision-rule.js';
import type { Band } from './grid-prior.js';

/**
 * FrogNano's admission (frognano.md 1.3): `trials` rollouts, and the observed rate k / n lies inside (0, 1) and
 * in `target`, both ends included. How many rollouts the paper takes is not disclosed.
 *
 * @throws TadpoleError `invalid-config` where no number of successes could be admitted.
 */
export function learnabilityRule(options: {
  trials: number;
  /** Observed rates to admit; see {@link frogNanoTarget}. @default [0, 1]: the whole learnable region */
  target?: Band;
}): DecisionRule {
  const { trials: maxTrials, target = [0, 1] } = options;
  const isAdmitted = (successes: number) => {
    const rate = successes / maxTrials;
    return successes > 0 && successes < maxTrials && rate >= target[0] && rate <= target[1];
  };
  if (!Number.isInteger(maxTrials) || !Array.from({ length: Math.max(0, maxTrials) }, (_, k) => k).some(isAdmitted)) {
    throw new TadpoleError({
      code: 'invalid-config',
      message: `learnabilityRule: no k of ${maxTrials} trials lies inside (0, 1) and in [${target}]; take an even number of at least 2 or a wider target.`,
    });
  }
  return {
    name: `learnable(n=${maxTrials}, target=${target[0]}..${target[1]})`,
    maxTrials,
    decide({ successes, trials }) {
      if (trials < maxTrials) return 'continue';
      if (isAdmitted(successes)) return 'in-band';
      return successes === maxTrials || successes / maxTrials > target[1] ? 'too-easy' : 'too-hard';
    },
  };
}

/**
 * The observed rates that FrogNano admits: one half in iterations 1 to 4, (0, 0.5] in iteration 5
 * (frognano.md 1.4 and 1.6; the open end at 0 is {@link learnabilityRule}'s).
 */
export function frogNanoTarget(options: {
  /** Counts from 1, as in the paper. */
  iteration: number;
  /** Accepted distance from one half in iterations 1 to 4; not disclosed by the paper. @default 0 */
  tolerance?: number;
}): Band {
  const { iteration, tolerance = 0 } = options;
  return iteration >= 5 ? [0, 0.5] : [0.5 - tolerance, 0.5 + tolerance];
}
