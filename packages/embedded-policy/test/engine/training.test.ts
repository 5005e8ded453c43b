import { describe, expect, it } from 'vitest';
import { loadRuntime } from '../../src/engine/load-runtime.js';
import { initialiseWeights } from '../../src/engine/model/initialise-weights.js';
import { adamwStep, createAdamwState } from '../../src/engine/training/adamw.js';
import { planMicroBatches } from '../../src/engine/training/micro-batches.js';
import { createTrainer } from '../../src/engine/training/trainer.js';
import { randomIds, shifted, tinyTrainer } from './tiny-model.js';

const sequences = [shifted(randomIds(30, 1)), shifted(randomIds(100, 2)), shifted(randomIds(65, 3))];
const crossEntropy = sequences.map(({ inputs }) => new Float32Array(inputs.length).fill(-1 / 192));
const settings = { learningRate: 3e-3, weightDecay: 0, gradientClip: 1 };

describe('the trainer', () => {
  it('gives bit-equal weights for the same seed and the same updates', async () => {
    const run = async () => {
      const trainer = await tinyTrainer();
      for (let update = 0; update < 2; update++) {
        await trainer.forwardBackward(sequences, crossEntropy);
        trainer.optimStep(settings);
      }
      return trainer.weights;
    };
    expect(await run()).toEqual(await run());
  });

  it('lowers the loss when it repeats one batch', async () => {
    const trainer = await tinyTrainer();
    const losses: number[] = [];
    for (let update = 0; update < 30; update++) {
      const logprobs = await trainer.forwardBackward(sequences, crossEntropy);
      losses.push(-logprobs.flatMap((row) => [...row]).reduce((sum, logprob) => sum + logprob, 0) / 192);
      trainer.optimStep({ ...settings, learningRate: 1e-2 });
    }
    expect(losses[0]).toBeGreaterThan(3);
    expect(losses.at(-1)).toBeLessThan(1.5);
  });

  it('gives a sequence the same log-probabilities alone and beside longer ones', async () => {
    const trainer = await tinyTrainer();
    const together = await trainer.forward(sequences);
    const [alone] = await trainer.forward([sequences[0]!]);
    alone!.logprobs.forEach((logprob, position) => {
      expect(together[0]!.logprobs[position]).toBeCloseTo(logprob, 5);
    });
  });

  it('accumulates over micro-batches what one pass gives', async () => {
    const [whole, parts] = [await tinyTrainer(), await tinyTrainer({ tokenBudget: 64 })];
    await whole.forwardBackward(sequences, crossEntropy);
    await parts.forwardBackward(sequences, crossEntropy);
    const worst = whole.gradient.reduce((most, value, index) => Math.max(most, Math.abs(value - parts.gradient[index]!)), 0);
    expect(worst).toBeLessThan(1e-6);
  });

  it('computes only the positions that a mask or a gradient asks for', async () => {
    const trainer = await tinyTrainer();
    const [full] = await trainer.forward([sequences[0]!]);
    const mask = Uint8Array.from(full!.logprobs, (_, position) => (position % 3 === 0 ? 1 : 0));
    const [masked] = await trainer.forward([sequences[0]!], [mask]);
    const [trained] = await trainer.forwardBackward([sequences[0]!], [Float32Array.from(mask)]);
    for (const computed of [masked!.logprobs, trained!]) {
      expect([...computed].map(Number.isNaN)).toEqual([...mask].map((wanted) => wanted === 0));
      computed.forEach((logprob, position) => {
        if (mask[position] === 1) expect(logprob).toBeCloseTo(full!.logprobs[position]!, 5);
      });
    }
  });

  it('reports the entropy of the whole distribution', async () => {
    const trainer = await tinyTrainer();
    const inputs = randomIds(5, 8);
    const everyTarget = Array.from({ length: 37 }, (_, id) => ({ inputs, targets: new Int32Array(5).fill(id) }));
    const results = await trainer.forward(everyTarget);
    const expected = -results.reduce((sum, { logprobs }) => sum + Math.exp(logprobs[4]!) * logprobs[4]!, 0);
    expect(results[0]!.entropy[4]).toBeCloseTo(expected, 4);
  });

  it('takes a step at ten million parameters', async () => {
    const config = { vocabularySize: 2048, width: 320, layers: 8, heads: 5, feedForward: 848, contextTokens: 512 };
    const weights = initialiseWeights(config, 1);
    expect(weights.length / 1e6).toBeCloseTo(10.4, 0);
    const trainer = createTrainer({ runtime: await loadRuntime(), config, weights, threads: 2, tokenBudget: 2048 });
    const sequence = shifted(randomIds(64, 1, config.vocabularySize));
    const slopes = [new Float32Array(sequence.inputs.length).fill(-1 / sequence.inputs.length)];
    const [before] = await trainer.forwardBackward([sequence], slopes);
    trainer.optimStep({ learningRate: 1e-3 });
    const [after] = await trainer.forward([sequence]);
    const mean = (logprobs: Float32Array) => logprobs.reduce((sum, logprob) => sum + logprob, 0) / logprobs.length;
    expect(mean(after!.logprobs)).toBeGreaterThan(mean(before!) + 0.1);
  });

  it.each([
    ['a token outside the vocabulary', { inputs: Int32Array.of(1, 99), targets: Int32Array.of(1, 2) }],
    ['a sequence with fewer targets than inputs', { inputs: Int32Array.of(1, 2), targets: Int32Array.of(1) }],
    ['a sequence beyond the context', { inputs: new Int32Array(193), targets: new Int32Array(193) }],
  ])('refuses %s', async (_, sequence) => {
    const trainer = await tinyTrainer();
    await expect(trainer.forward([sequence])).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('AdamW', () => {
  const layout = { length: 3, slots: [slot('matrix', [1, 2], 0), slot('vector', [1], 2)] };

  it('matches a step computed by hand, and decays matrices only', () => {
    const weights = Float32Array.of(1, -2, 3);
    const inputs = { layout, weights, gradient: Float32Array.of(0.3, 0, -0.4), state: createAdamwState(3) };
    const { gradientNorm } = adamwStep(inputs, { learningRate: 0.1, weightDecay: 0.5, gradientClip: 0 });
    expect(gradientNorm).toBeCloseTo(0.5, 6);
    // After one step the bias-corrected moments are the gradient and its square, so the move is the learning rate.
    [1 * 0.95 - 0.1, -2 * 0.95, 3 + 0.1].forEach((expected, index) => {
      expect(weights[index]).toBeCloseTo(expected, 5);
    });
  });

  it('leaves the weights alone when the gradient is not finite', () => {
    const weights = Float32Array.of(1, -2, 3);
    const inputs = { layout, weights, gradient: Float32Array.of(0.3, Number.NaN, 0), state: createAdamwState(3) };
    adamwStep(inputs, { learningRate: 0.1 });
    expect([...weights]).toEqual([1, -2, 3]);
    expect(inputs.state.step).toBe(0);
  });

  it.each([{ beta1: 1 }, { beta2: 1 }, { learningRate: 1e308 }, { weightDecay: 1e300 }, { epsilon: 0 }, { beta1: Number.NaN }])(
    'refuses %j, which would make weights that are not finite',
    (settings) => {
      const weights = Float32Array.of(1, -2, 3);
      const inputs = { layout, weights, gradient: Float32Array.of(0.3, 0, -0.4), state: createAdamwState(3) };
      expect(() => adamwStep(inputs, { learningRate: 0.1, ...settings })).toThrow(/Optimizer: expected/);
      expect([...weights, inputs.state.step]).toEqual([1, -2, 3, 0]);
    },
  );

  function slot(name: string, shape: number[], offset: number) {
    return { name, shape, offset, length: shape.reduce((product, size) => product * size, 1), initial: { constant: 0 } };
  }
});

describe('the plan of micro-batches', () => {
  it('groups equal padded lengths within the budget and keeps every sequence once', () => {
    const plan = planMicroBatches([10, 64, 65, 128, 1, 60], 128);
    expect(plan).toEqual([
      { length: 64, indices: [0, 1] },
      { length: 64, indices: [4, 5] },
      { length: 128, indices: [2] },
      { length: 128, indices: [3] },
    ]);
  });
});
