import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLoss, serverLosses } from '../../src/server/server-loss.js';

const computed = (name: string, { lp, rollout, advantage }: { lp: number; rollout: number; advantage: number }) => {
  const { loss, config } = chooseLoss({ loss_fn: name });
  return loss.token({ logprob: lp, logprobs: rollout, advantages: advantage }, config);
};

describe('losses of the server', () => {
  it('have gradients equal to central differences, the weight of cispo being constant under it', () => {
    const logprob = fc.double({ min: -4, max: -0.01, noNaN: true });
    const advantage = fc.double({ min: -3, max: 3, noNaN: true });
    for (const name of Object.keys(serverLosses)) {
      fc.assert(
        fc.property(logprob, logprob, advantage, (lp, rollout, weight) => {
          const { loss, config } = chooseLoss({ loss_fn: name });
          const at = (value: number) => loss.token({ logprob: value, logprobs: rollout, advantages: weight, weights: weight }, config);
          const difference = (at(lp + 1e-6).loss - at(lp - 1e-6).loss) / 2e-6;
          const isKink = Math.abs(at(lp + 2e-6).gradient - at(lp - 2e-6).gradient) > 1e-3;
          if (isKink) return;
          const ratio = Math.exp(lp - rollout);
          // The difference has the derivative of the ratio, which the gradient leaves out.
          const expected = name === 'cispo' && ratio < 4 ? difference + ratio * lp * weight : difference;
          expect(at(lp).gradient).toBeCloseTo(expected, 4);
        }),
      );
    }
  });

  it('mask as Binary-TV does in the hand cases: q .5 to p .8, q .9 to p .6, and the rare token that PPO would clip', () => {
    const at = (q: number, p: number, advantage: number) => computed('dppo', { lp: Math.log(p), rollout: Math.log(q), advantage }).gradient;
    expect(at(0.5, 0.8, 1)).toBe(0);
    expect(at(0.5, 0.8, -1)).toBeCloseTo(1.6);
    expect(at(0.9, 0.6, -1)).toBe(0);
    expect(at(0.001, 0.05, 1)).toBeCloseTo(-50);
    expect(at(0.01, 0.25, 1)).toBe(0);
    expect(computed('ppo', { lp: Math.log(0.05), rollout: Math.log(0.001), advantage: 1 }).gradient).toBe(0);
  });

  it('give hand values: importance sampling -r A, ppo at its clip, cispo with its log-probability, cross entropy -w lp', () => {
    const twice = { lp: Math.log(0.4), rollout: Math.log(0.2) };
    expect(computed('importance_sampling', { ...twice, advantage: 3 }).loss).toBeCloseTo(-6);
    expect(computed('ppo', { ...twice, advantage: 3 }).loss).toBeCloseTo(-3.6);
    expect(computed('ppo', { ...twice, advantage: -3 }).loss).toBeCloseTo(6);
    expect(computed('cispo', { lp: Math.log(0.5), rollout: Math.log(0.1), advantage: 2 }).loss).toBeCloseTo(-4 * Math.log(0.5) * 2);
    const { loss } = chooseLoss({ loss_fn: 'cross_entropy' });
    expect(loss.token({ logprob: -1, weights: 0.5 }, {})).toEqual({ loss: 0.5, gradient: -0.5 });
  });

  it('refuse names and configuration keys that they do not have, also those of every object', () => {
    for (const name of ['dpo', 'toString', '__proto__']) expect(() => chooseLoss({ loss_fn: name })).toThrow(/Expected loss_fn/);
    expect(() => chooseLoss({ loss_fn: 'ppo', loss_fn_config: { delta_low: 1 } })).toThrow(/to have clip_low_threshold/);
  });
});
