import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decisionTable } from '../src/calibrate/decision-table.js';
import { type GridPrior, gridPrior } from '../src/calibrate/grid-prior.js';
import { logistic, logit } from '../src/calibrate/logit.js';
import { logitNormalPrior } from '../src/calibrate/logit-normal-prior.js';
import { posterior } from '../src/calibrate/posterior.js';
import { constantPrior, type PriorModel } from '../src/calibrate/prior-model.js';
import { createMoveEffects } from '../src/refine/create-move-effects.js';
import { isWorthwhile } from '../src/refine/is-worthwhile.js';
import { parseMoveEffectsState } from '../src/refine/move-effects-state.js';
import { movedPrior } from '../src/refine/moved-prior.js';
import { logitSpacedPrior, parentsRate, type RolloutCount } from '../src/refine/parents-rate.js';
import { type RefinedChild, refinablePriors } from '../src/refine/refinable-priors.js';
import { seededRandom } from '../src/seeded-random.js';

const harder = { name: 'harder', expectedEffect: { mean: -1.5, spread: 1 } };
const beyond = { name: 'combine', expectedEffect: { mean: 0, spread: 1 } };
const moves = [harder, beyond];
const count = (successes: number, trials: number): RolloutCount => ({ successes, trials });
const of = (prior: GridPrior) => posterior({ successes: 0, trials: 0, prior });
const table = decisionTable();

function logitMoments({ rates, weights }: GridPrior): { mean: number; spread: number } {
  const mean = rates.reduce((sum, rate, index) => sum + logit(rate) * (weights[index] ?? 0), 0);
  const variance = rates.reduce((sum, rate, index) => sum + (logit(rate) - mean) ** 2 * (weights[index] ?? 0), 0);
  return { mean, spread: Math.sqrt(variance) };
}

/** Tasks with Beta(.4, .4) rates that were too easy at once, and their children, measured until the default table has a verdict. */
function* simulate(options: { effect: number; spread: number; parents: number; seed: number }) {
  const { effect, spread, parents, seed } = options;
  const random = seededRandom(seed);
  for (;;) {
    const chosen = Array.from({ length: parents }, tooEasy);
    const rate = chosen.reduce((product, parent) => product * parent.rate, 1);
    const child = logistic(logit(rate) + effect + spread * normal());
    yield { parents: chosen.map((parent) => parent.count), child, count: measure(child) };
  }

  function tooEasy(): { rate: number; count: RolloutCount } {
    for (;;) {
      const [left, right] = [random() ** 2.5, random() ** 2.5];
      if (left + right > 1) continue;
      const rate = left / (left + right);
      const seen = measure(rate);
      if (table.decide(seen) === 'too-easy') return { rate, count: seen };
    }
  }

  function measure(rate: number): RolloutCount {
    let seen = count(0, 0);
    while (table.decide(seen) === 'continue') seen = count(seen.successes + (random() < rate ? 1 : 0), seen.trials + 1);
    return seen;
  }

  function normal(): number {
    return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  }
}

function learn(options: Parameters<typeof simulate>[0] & { children: number }) {
  const move = options.parents === 1 ? harder.name : beyond.name;
  const effects = createMoveEffects({ moves });
  const pairs = simulate(options);
  for (let index = 0; index < options.children; index += 1) {
    const { value } = pairs.next();
    if (value !== undefined) effects.observe({ move, parents: value.parents, ...value.count });
  }
  return { effects, move, pairs };
}

describe('parentsRate', () => {
  test('multiplies the rates of parents with 5 or 6 of 6', () => {
    const base = logitSpacedPrior();
    const weights = base.weights.map((weight, index) => {
      const rate = base.rates[index] ?? 0;
      return weight * (rate ** 6 + 6 * rate ** 5 * (1 - rate));
    });
    const prior = gridPrior({ rates: base.rates, weights });
    const means = [1, 2, 3, 4].map((parts) => of(parentsRate({ parents: Array.from({ length: parts }, () => count(0, 0)), prior })).mean);
    // by hand: 6 of 6 and 5 of 6 are as likely as 1 and 6 * .4 / 5.4, and their posterior means are 6.4 / 6.8 and 5.4 / 6.8
    const one = (6.4 / 6.8 + (2.4 / 5.4) * (5.4 / 6.8)) / (1 + 2.4 / 5.4);
    for (const [index, mean] of means.entries()) expect(Math.abs(mean - one ** (index + 1))).toBeLessThan(0.001);
  });

  test('is the posterior of one parent, also of many rollouts and on a grid that holds 0 and 1', () => {
    const prior = gridPrior({ rates: [0, 0.25, 0.75, 1], weights: [1, 1, 1, 1] });
    const one = parentsRate({ parents: [count(1, 2)], prior });
    expect(one.weights).toEqual([0, 0.5, 0.5, 0]);
    expect(parentsRate({ parents: [count(4000, 4000)], prior }).weights[3]).toBeCloseTo(1, 12);
    expect(of(parentsRate({ parents: [count(3000, 6000)], prior: logitSpacedPrior() })).mean).toBeCloseTo(0.5, 6);
  });
});

describe('movedPrior', () => {
  test('moves a known rate by a normal of logits', () => {
    const base = parentsRate({ parents: [count(100_000, 200_000)], prior: logitSpacedPrior() });
    const { mean, spread } = logitMoments(movedPrior({ base, mean: -1, spread: 0.5 }));
    expect(mean).toBeCloseTo(-1, 4);
    expect(spread).toBeCloseTo(0.5, 2);
  });

  test('keeps the weight of what leaves the grid at its end', () => {
    const base = gridPrior({ rates: [0.2, 0.4, 0.6, 0.8], weights: [0, 0, 0, 1] });
    const moved = movedPrior({ base, mean: 50, spread: 0.25 });
    expect(moved.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    expect(moved.weights[3]).toBeGreaterThan(0.95);
  });
});

describe('createMoveEffects', () => {
  test('begins with what is expected of a move', () => {
    const { mean, standardError, spread, children } = createMoveEffects({ moves }).effectOf('harder');
    expect(mean).toBeCloseTo(-1.5, 3);
    expect(standardError).toBeCloseTo(1, 3);
    expect(spread).toBeCloseTo(Math.sqrt((0.25 ** 2 + 0.5 ** 2 + 1 + 1.5 ** 2) / 4), 4);
    expect(children).toBe(0);
  });

  test('weighs one child of many rollouts as normal variables would', () => {
    const effects = createMoveEffects({ moves });
    effects.observe({ move: 'harder', parents: [count(50, 100)], ...count(27, 100) });
    // by hand: logit .27 = -.995 with variance .091 + s²; posterior means of N(-1.5, 1) are -1.062, -1.123, -1.258 and -1.349
    // for the four s, whose weights are .834, .785, .651 and .527
    const { mean, children } = effects.effectOf('harder');
    expect(Math.abs(mean + 1.179)).toBeLessThan(0.02);
    expect(children).toBe(1);
  });

  test('takes the product of several parents as what is expected of a child', () => {
    const effects = createMoveEffects({ moves });
    for (let index = 0; index < 20; index += 1)
      effects.observe({ move: 'combine', parents: [count(140, 200), count(140, 200)], ...count(98, 200) });
    expect(effects.effectOf('combine').mean).toBeCloseTo(0, 1);
    expect(effects.effectOf('combine').spread).toBeCloseTo(0.25, 1);
  });

  test('finds a known effect, however parents were chosen and rollouts ended', () => {
    const effectAndSeed = fc.tuple(fc.double({ min: -3, max: 1, noNaN: true }), fc.nat());
    fc.assert(
      fc.property(effectAndSeed, ([effect, seed]) => {
        const { effects } = learn({ effect, spread: 0.5, parents: 1, seed, children: 400 });
        const learned = effects.effectOf('harder');
        expect(learned.standardError).toBeLessThan(0.3);
        expect(Math.abs(learned.mean - effect)).toBeLessThan(4.5 * learned.standardError);
      }),
      { numRuns: 12, seed: 20 },
    );
  });

  test('comes nearer with more children, and tells how far children differ', () => {
    const few = learn({ effect: -1, spread: 1, parents: 2, seed: 3, children: 40 }).effects.effectOf('combine');
    const many = learn({ effect: -1, spread: 1, parents: 2, seed: 3, children: 2000 }).effects.effectOf('combine');
    expect(many.standardError).toBeLessThan(few.standardError / 4);
    expect(Math.abs(many.mean + 1)).toBeLessThan(0.2);
    expect(Math.abs(many.spread - 1)).toBeLessThan(0.2);
  });

  test.each([1, 2])('predicts how many children of %i parents are in the band', (parents) => {
    const { effects, move, pairs } = learn({ effect: -1.5, spread: 0.5, parents, seed: 11, children: 1500 });
    let [predicted, realised] = [0, 0];
    for (let index = 0; index < 2000; index += 1) {
      const { value } = pairs.next();
      if (value === undefined) continue;
      predicted += of(effects.priorOf({ move, parents: value.parents })).probabilityInBand / 2000;
      realised += value.child >= 0.3 && value.child <= 0.7 ? 1 / 2000 : 0;
    }
    expect(Math.abs(predicted - realised)).toBeLessThan(0.03);
  });

  test('gives the same prior for the same parents in any order, and another for other parents or moves', () => {
    const effects = createMoveEffects({ moves });
    const prior = effects.priorOf({ move: 'combine', parents: [count(4, 4), count(5, 6)] });
    expect(effects.priorOf({ move: 'combine', parents: [count(5, 6), count(4, 4)] })).toBe(prior);
    expect(effects.priorOf({ move: 'combine', parents: [count(5, 6), count(4, 4)], shift: 0.2 })).toBe(prior);
    expect(effects.priorOf({ move: 'harder', parents: [count(5, 6), count(4, 4)] })).not.toBe(prior);
    expect(effects.priorOf({ move: 'combine', parents: [count(4, 4), count(4, 4)] })).not.toBe(prior);
  });

  test('moves a prior by the gain in ability', () => {
    const effects = createMoveEffects({ moves });
    const at = (shift: number) => logitMoments(effects.priorOf({ move: 'harder', parents: [count(50, 100)], shift })).mean;
    expect(at(0)).toBeCloseTo(-1.5, 2);
    expect(at(1) - at(0)).toBeCloseTo(1, 2);
  });

  test('goes on from its state as if it had never stopped', () => {
    const { effects } = learn({ effect: -1, spread: 0.5, parents: 1, seed: 5, children: 30 });
    const state = parseMoveEffectsState(JSON.parse(JSON.stringify(effects.state())));
    expect(state.children).toHaveLength(30);
    const again = createMoveEffects({ moves, state });
    expect(again.effectOf('harder')).toEqual(effects.effectOf('harder'));
    expect(again.state()).toEqual(effects.state());
    expect(createMoveEffects({ moves: [beyond], state }).state()).toEqual(state);
  });

  test('says nothing of a child without a scored rollout, and refuses what is no child or no move', () => {
    const effects = createMoveEffects({ moves });
    effects.observe({ move: 'harder', parents: [count(4, 4)], ...count(0, 0) });
    expect(effects.state()).toEqual({ children: [] });
    const invalid = expect.objectContaining({ code: 'invalid-input' });
    expect(() => effects.observe({ move: 'harder', parents: [], ...count(1, 2) })).toThrowError(invalid);
    expect(() => effects.observe({ move: 'harder', parents: [count(3, 2)], ...count(1, 2) })).toThrowError(invalid);
    expect(() => effects.priorOf({ move: 'unknown', parents: [count(4, 4)] })).toThrowError(invalid);
    expect(() => parseMoveEffectsState({ children: [{ move: 'harder', parents: [count(1, 1)], ...count(2, 1) }] })).toThrowError(invalid);
  });
});

describe('refinablePriors', () => {
  const checkpoints = [
    { ability: 0, standardError: 0 },
    { ability: 1, standardError: 0.1 },
  ];
  const child: RefinedChild = { move: 'harder', parents: [count(4, 4)], checkpoint: 0 };
  const candidate = (id: string) => ({ id, strategy: 'mutation', repository: 'sample' });
  const measurement = (taskId: string, checkpoint: number) => ({
    ...{ taskId, strategy: 'mutation', repository: 'sample', checkpoint },
    ...count(2, 4),
  });

  function model() {
    const seen: string[] = [];
    const fresh = constantPrior();
    const fallback: PriorModel = { ...fresh, observe: ({ taskId }) => seen.push(taskId) };
    const effects = createMoveEffects({ moves });
    return { seen, fresh, effects, priors: refinablePriors({ fallback, effects, childOf: (id) => (id === 'child' ? child : undefined) }) };
  }

  test('gives a child the prior of its parents, and every other task that of the fallback', () => {
    const { priors, effects, fresh } = model();
    const first = checkpoints.slice(0, 1);
    expect(priors.priorOf({ candidate: candidate('other'), checkpoints: first })).toBe(
      fresh.priorOf({ candidate: candidate('other'), checkpoints: first }),
    );
    expect(priors.priorOf({ candidate: candidate('child'), checkpoints: first })).toBe(effects.priorOf(child));
    expect(priors.priorOf({ candidate: candidate('child'), checkpoints })).toBe(effects.priorOf({ ...child, shift: 1 }));
  });

  test('lets both learn, the effect only from the checkpoint of the parents', () => {
    const { priors, effects, seen } = model();
    for (const [id, checkpoint] of [
      ['other', 0],
      ['child', 0],
      ['child', 1],
    ] as const)
      priors.observe(measurement(id, checkpoint));
    expect(seen).toEqual(['other', 'child', 'child']);
    expect(effects.state()).toEqual({ children: [{ move: 'harder', parents: [count(4, 4)], ...count(2, 4) }] });
  });
});

test('a child is worthwhile while it is at least as likely in the band as a fresh candidate', () => {
  const prior = (mean: number) => logitNormalPrior({ mean, spread: 1 });
  expect([0, 2, 4].map((mean) => isWorthwhile({ prior: prior(mean) }))).toEqual([true, false, false]);
  const share = of(prior(2)).probabilityInBand;
  expect([share, share + 1e-9].map((baseRate) => isWorthwhile({ prior: prior(2), baseRate }))).toEqual([true, false]);
  expect(isWorthwhile({ prior: prior(2), band: [0.7, 0.99] })).toBe(true);
});
