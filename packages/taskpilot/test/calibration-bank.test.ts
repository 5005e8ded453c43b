import { expect, test } from 'vitest';
import { createAdmissionQuota } from '../src/calibrate/admission-quota.js';
import {
  type Anchor,
  type Bank,
  bankMeasurements,
  betaPrior,
  carriedLikelihood,
  estimateShift,
  gridPrior,
  hierarchicalPrior,
  logitNormalPrior,
  parseBank,
  pooledPrior,
  posterior,
  seededRandom,
  strategyBandit,
  strategyPriors,
} from '../src/index.js';

test('one step of pooling agrees with Bayes by hand', () => {
  // of .2 and .6, 1 of 1 gives .25 : .75; two pseudo-candidates at .5 : .5 make (1 + .25) / 3
  const pooled = pooledPrior({
    base: gridPrior({ rates: [0.2, 0.6], weights: [1, 1] }),
    counts: [{ successes: 1, trials: 1 }],
    pseudoCandidates: 2,
    steps: 1,
  });
  expect(pooled.weights[0]).toBeCloseTo(1.25 / 3, 12);
});

test('pooling finds the distribution behind many tasks, and is the base without any', () => {
  const random = seededRandom(1);
  const counts = Array.from({ length: 2000 }, (_, index) => {
    const rate = index % 4 === 0 ? 0.5 : 0.05;
    return { trials: 8, successes: Array.from({ length: 8 }, () => Number(random() < rate)).reduce((a, b) => a + b, 0) };
  });
  const base = betaPrior({ points: 200 });
  const share = (prior: typeof base) => posterior({ successes: 0, trials: 0, prior }).probabilityInBand;
  expect(Math.abs(share(pooledPrior({ base, counts })) - 0.25)).toBeLessThan(0.04);
  expect(pooledPrior({ base, counts: [{ successes: 0, trials: 0 }] })).toBe(base);
});

test('a group without measurements has the prior of the group around it, and many measurements leave it', () => {
  const base = betaPrior({ points: 100 });
  const hard = Array.from({ length: 40 }, () => ({ successes: 0, trials: 8 }));
  const easy = Array.from({ length: 40 }, () => ({ successes: 8, trials: 8 }));
  expect(hierarchicalPrior({ base, levels: [hard, []] })).toEqual(pooledPrior({ base, counts: hard }));
  const mean = (levels: (typeof hard)[]) => posterior({ successes: 0, trials: 0, prior: hierarchicalPrior({ base, levels }) }).mean;
  expect(mean([hard, easy])).toBeGreaterThan(0.7);
  expect(mean([hard, easy.slice(0, 1)])).toBeLessThan(0.3);
});

test('tasks measured before a gain in ability count as easier now', () => {
  const base = betaPrior({ points: 200 });
  const counts = Array.from({ length: 200 }, () => ({ successes: 4, trials: 8 }));
  const mean = (shift: number) =>
    posterior({ successes: 0, trials: 0, prior: pooledPrior({ base, counts: counts.map((count) => ({ ...count, shift })) }) }).mean;
  expect(mean(0)).toBeCloseTo(0.5, 2);
  expect(mean(1.0986)).toBeCloseTo(0.75, 1);
});

test('strategy priors keep strategies and repositories apart', () => {
  const model = strategyPriors();
  const tell = (strategy: string, repository: string, successes: number) => {
    for (let index = 0; index < 30; index++)
      model.observe({ taskId: `${strategy}${repository}${index}`, strategy, repository, checkpoint: 0, successes, trials: 8 });
  };
  tell('hard', 'a', 0);
  tell('easy', 'a', 8);
  tell('easy', 'b', 4);
  const mean = (strategy: string, repository: string) =>
    posterior({
      successes: 0,
      trials: 0,
      prior: model.priorOf({ candidate: { id: 'x', strategy, repository }, checkpoints: [{ ability: 0, standardError: 0 }] }),
    }).mean;
  expect(mean('hard', 'a')).toBeLessThan(0.1);
  expect(mean('easy', 'a')).toBeGreaterThan(0.85);
  expect(Math.abs(mean('easy', 'b') - 0.55)).toBeLessThan(0.1);
  expect(mean('new', 'a')).toBeCloseTo(0.5, 2);
});

test('without drift or gain an old count is worth what a new one is', () => {
  const prior = betaPrior({ points: 100 });
  const checkpoints = [
    { ability: 0, standardError: 0 },
    { ability: 0, standardError: 0 },
  ];
  const likelihood = carriedLikelihood({ rates: prior.rates, counts: [{ checkpoint: 0, successes: 3, trials: 8 }], checkpoints, drift: 0 });
  const carried = gridPrior({ rates: prior.rates, weights: prior.weights.map((weight, index) => weight * (likelihood[index] ?? 0)) });
  const ask = { successes: 0, trials: 0 };
  expect(posterior({ ...ask, prior: carried }).mean).toBeCloseTo(posterior({ successes: 3, trials: 8, prior }).mean, 3);
});

test('a gain in ability moves an old count up, and drift makes it say less', () => {
  const rates = Array.from({ length: 199 }, (_, index) => (index + 1) / 200);
  const best = (gain: number, drift: number, at: number) => {
    const checkpoints = [
      { ability: 0, standardError: 0 },
      { ability: gain, standardError: 0 },
    ];
    const likelihood = carriedLikelihood({ rates, counts: [{ checkpoint: 0, successes: 3, trials: 12 }], checkpoints, drift });
    return { peak: rates[likelihood.indexOf(Math.max(...likelihood))], beside: likelihood[Math.round(at * 200) - 1] ?? 0 };
  };
  // logit(1/4) + ln 3 = 0
  expect(best(Math.log(3), 0.01, 0.5).peak).toBeCloseTo(0.5, 2);
  expect(best(0, 1, 0.75).beside).toBeGreaterThan(10 * best(0, 0, 0.75).beside);
});

test('anchors tell the gain in ability to within its standard error', () => {
  const random = seededRandom(2);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const draw = (logit: number, trials: number) =>
    Array.from({ length: trials }, () => Number(random() < 1 / (1 + Math.exp(-logit)))).reduce((a, b) => a + b, 0);
  const population = logitNormalPrior({ mean: 0, spread: 1.5 });
  const scores = Array.from({ length: 60 }, () => {
    const anchors: Anchor[] = [];
    while (anchors.length < 24) {
      const logit = 1.5 * normal();
      const successes = draw(logit, 8);
      if (successes < 1 || successes > 3) continue;
      const likelihood = carriedLikelihood({
        rates: population.rates,
        counts: [{ checkpoint: 0, successes, trials: 8 }],
        checkpoints: [{ ability: 0, standardError: 0 }],
      });
      const before = gridPrior({
        rates: population.rates,
        weights: population.weights.map((weight, index) => weight * (likelihood[index] ?? 0)),
      });
      anchors.push({ before, successes: draw(logit + 0.8 + 0.6 * normal(), 4), trials: 4 });
    }
    const { shift, standardError } = estimateShift({ anchors });
    return { error: shift - 0.8, standardError };
  });
  const mean = scores.reduce((sum, { error }) => sum + error, 0) / 60;
  const spread = Math.sqrt(scores.reduce((sum, { error }) => sum + error ** 2, 0) / 60);
  const said = scores.reduce((sum, { standardError }) => sum + standardError, 0) / 60;
  expect(Math.abs(mean)).toBeLessThan((3 * spread) / Math.sqrt(60));
  expect(Math.abs(spread / said - 1)).toBeLessThan(0.3);
  expect(said).toBeLessThan(0.4);
  expect(() => estimateShift({ anchors: [] })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

const candidate = { id: 'a', strategy: 's', repository: 'r' };
const bank: Bank = {
  checkpoints: [{ ability: 0, standardError: 0 }],
  entries: [
    {
      candidate,
      counts: [
        { checkpoint: 0, successes: 1, trials: 4 },
        { checkpoint: 1, successes: 2, trials: 4 },
      ],
      admittedAt: null,
    },
  ],
};

test('a bank goes through JSON unchanged, and gives a prior model the first measurement of each task', () => {
  expect(parseBank(JSON.parse(JSON.stringify(bank)))).toEqual(bank);
  expect(bankMeasurements(bank)).toMatchObject([{ taskId: 'a', checkpoint: 0, successes: 1, trials: 4 }]);
});

test.each([
  ['nothing', null],
  ['an unknown field', { ...bank, more: 1 }],
  [
    'more successes than trials',
    { ...bank, entries: [{ candidate, counts: [{ checkpoint: 0, successes: 5, trials: 4 }], admittedAt: null }] },
  ],
])('refuses a bank with %s', (_, value) => {
  expect(() => parseBank(value)).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

test('the bandit comes to prefer the better strategy, explores the others, and follows when the better one changes', () => {
  const random = seededRandom(7);
  const bandit = strategyBandit({ random });
  const run = (rates: Readonly<Record<string, number>>) => {
    const picks = { good: 0, bad: 0 };
    for (let index = 0; index < 600; index++) {
      const strategy = bandit.choose(['good', 'bad']) as 'good' | 'bad';
      if (index >= 300) picks[strategy]++;
      bandit.observe({ strategy, inBand: random() < (rates[strategy] ?? 0) });
    }
    return picks;
  };
  const first = run({ good: 0.4, bad: 0.05 });
  expect(first.good).toBeGreaterThan(3 * first.bad);
  // 15 % uniform choices over two arms: about 22 of 300
  expect(first.bad).toBeGreaterThan(8);
  const second = run({ good: 0.05, bad: 0.4 });
  expect(second.bad).toBeGreaterThan(2 * second.good);
});

test('quotas close a strategy at a quarter and a repository at a fifth, or at an equal part where that is more', () => {
  const kinds = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
  const most = (options: { strategies: number; repositories: number }) => {
    const quota = createAdmissionQuota({
      count: 100,
      shares: { strategy: 0.25, repository: 0.2 },
      strategies: kinds(options.strategies),
      repositories: kinds(options.repositories),
    });
    let [byStrategy, byRepository] = [0, 0];
    for (; quota.isStrategyOpen('0'); byStrategy++) quota.add({ id: 'x', strategy: '0', repository: 'other' });
    for (; quota.isRepositoryOpen('0'); byRepository++) quota.add({ id: 'x', strategy: 'other', repository: '0' });
    return [byStrategy, byRepository];
  };
  expect(most({ strategies: 7, repositories: 8 })).toEqual([25, 20]);
  expect(most({ strategies: 3, repositories: 1 })).toEqual([34, 100]);
});
