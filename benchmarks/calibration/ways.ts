import {
  betaPrior,
  constantPrior,
  decisionTable,
  fixedRule,
  predictedPriors,
  seededRandom,
  strategyBandit,
  strategyPriors,
  uniformChooser,
} from '@tadpole/taskpilot';
import type { Way } from './run-way.js';

const noQuotas = { strategy: 1, repository: 1 };
const uniform = (seed: string) => uniformChooser({ random: seededRandom(seed) });
const bandit = (seed: string) => strategyBandit({ random: seededRandom(seed) });
const predictor = () => predictedPriors({ fallback: strategyPriors() });

function fixedEight() {
  const rule = fixedRule({ trials: 8, accept: [3, 5] });
  return { ruleFor: () => rule, priors: constantPrior(betaPrior({ points: 200 })) };
}

/** The default table: no less precision or recall than eight fixed rollouts have, as the exact table says. */
function plainTable() {
  const rule = decisionTable();
  return { ruleFor: () => rule, priors: constantPrior(betaPrior({ points: 200 })), wave: 1 };
}

/** The same settings for waves of two: cheaper, for a precision that is .002 lower. */
function evenTable() {
  const rule = decisionTable({ wave: 2 });
  return { ruleFor: () => rule, priors: constantPrior(betaPrior({ points: 200 })) };
}

/**
 * From eight fixed rollouts to all that `calibrateIteration` does by default, one addition a row. The mix of an
 * iteration is free in all but the last two, which keep the default quotas and are compared with one another.
 */
export const ways = {
  fixed: {
    label: 'fixed n=8, k 3..5',
    keepsBank: false,
    options: (seed) => ({ ...fixedEight(), chooser: uniform(seed), quotas: noQuotas }),
  },
  fixedBandit: {
    label: 'fixed n=8 + bandit',
    keepsBank: false,
    options: (seed) => ({ ...fixedEight(), chooser: bandit(seed), quotas: noQuotas }),
  },
  table: { label: 'plain table', keepsBank: false, options: (seed) => ({ ...plainTable(), chooser: uniform(seed), quotas: noQuotas }) },
  even: {
    label: 'plain table, waves of 2',
    keepsBank: false,
    options: (seed) => ({ ...evenTable(), chooser: uniform(seed), quotas: noQuotas }),
  },
  priors: {
    label: 'table + strategy priors',
    keepsBank: false,
    options: (seed) => ({ priors: strategyPriors(), chooser: uniform(seed), quotas: noQuotas }),
  },
  predictor: {
    label: '+ predictor',
    keepsBank: false,
    options: (seed) => ({ priors: predictor(), chooser: uniform(seed), quotas: noQuotas }),
  },
  bandit: { label: '+ bandit', keepsBank: false, options: (seed) => ({ priors: predictor(), chooser: bandit(seed), quotas: noQuotas }) },
  bank: { label: '+ bank', keepsBank: true, options: (seed) => ({ priors: predictor(), chooser: bandit(seed), quotas: noQuotas }) },
  fixedQuotas: { label: 'fixed n=8, quotas', keepsBank: false, options: (seed) => ({ ...fixedEight(), chooser: uniform(seed) }) },
  bankQuotas: { label: 'all, quotas (the default)', keepsBank: true, options: (seed) => ({ priors: predictor(), chooser: bandit(seed) }) },
} satisfies Readonly<Record<string, Way>>;

/** A row of the study. */
export type WayName = keyof typeof ways;
