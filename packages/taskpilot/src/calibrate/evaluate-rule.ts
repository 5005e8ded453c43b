import type { DecisionRule } from './decision-rule.js';
import { type Band, betaPrior, defaultBand, type GridPrior } from './grid-prior.js';

/** How a rule does on tasks whose solve rates follow a prior. */
export interface RuleQuality {
  /** Rollouts of one task, on average. */
  readonly expectedTrials: number;
  readonly acceptRate: number;
  /** Share of the accepted tasks that are in the band. */
  readonly precision: number;
  /** Share of the tasks in the band that are accepted. */
  readonly recall: number;
}

/** Computes a rule's quality exactly: for each rate of the grid, the probability of every (k, n) that the rule reaches. */
export function evaluateRule(options: {
  rule: DecisionRule;
  /** @default Beta(.4, .4) */
  prior?: GridPrior;
  /** @default [0.3, 0.7] */
  band?: Band;
  /** Rollouts between two looks. @default 1 */
  wave?: number;
}): RuleQuality {
  const { rule, prior = betaPrior(), band = defaultBand, wave = 1 } = options;
  let [expectedTrials, acceptRate, acceptedInBand, inBand] = [0, 0, 0, 0];
  for (const [index, rate] of prior.rates.entries()) {
    const weight = prior.weights[index] ?? 0;
    const within = rate >= band[0] && rate <= band[1] ? 1 : 0;
    const { trials, accepted } = walk(rate);
    expectedTrials += weight * trials;
    acceptRate += weight * accepted;
    acceptedInBand += weight * accepted * within;
    inBand += weight * within;
  }
  return { expectedTrials, acceptRate, precision: acceptedInBand / acceptRate, recall: acceptedInBand / inBand };

  function walk(rate: number): { trials: number; accepted: number } {
    let [expected, accepted] = [0, 0];
    let reached = [1];
    for (let trials = 0; trials <= rule.maxTrials; trials++) {
      const looks = trials % wave === 0 || trials === rule.maxTrials;
      const open = reached.map((probability, successes) => {
        const decision = looks ? rule.decide({ successes, trials }) : 'continue';
        if (decision === 'continue') return probability;
        expected += probability * trials;
        if (decision === 'in-band') accepted += probability;
        return 0;
      });
      reached = [...open, 0].map((failed, successes) => failed * (1 - rate) + (open[successes - 1] ?? 0) * rate);
    }
    return { trials: expected, accepted };
  }
}
