import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCheckpoint, writeCheckpoint } from '../../src/engine/checkpoint/checkpoint.js';
import { loadRuntime } from '../../src/engine/load-runtime.js';
import { slotView, weightLayout } from '../../src/engine/model/weight-layout.js';
import { createRandom, nextNormal } from '../../src/engine/random.js';
import { createTrainer, type Trainer } from '../../src/engine/training/trainer.js';
import { randomIds, shifted, TINY_MODEL, tinyTrainer } from '../engine/tiny-model.js';
import { askTorch } from './ask-torch.js';

type ByName = Readonly<Record<string, readonly number[]>>;

const { slots } = weightLayout(TINY_MODEL);
const sequences = [shifted(randomIds(12, 1)), shifted(randomIds(130, 2)), shifted(randomIds(9, 3))];
const random = createRandom(4);
// About a third of the positions carry none, as under a mask.
const logprobGradients = sequences.map(({ inputs }) => Float32Array.from(inputs, () => (random() < 0.3 ? 0 : nextNormal(random) / 10)));

let folder: string;
let checkpoint: string;
let trainer: Trainer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tadpole-torch-'));
  checkpoint = join(folder, 'tiny.safetensors');
  trainer = await tinyTrainer();
  // Away from the initial constants, so that gains and shifts that are mixed up cannot agree by chance.
  trainer.weights.forEach((value, index) => {
    trainer.weights[index] = value + 0.1 * nextNormal(random);
  });
  await writeCheckpoint(checkpoint, { config: TINY_MODEL, weights: trainer.weights, optimizer: trainer.optimizer });
});
afterAll(() => rm(folder, { recursive: true }));

describe('PyTorch, reading a checkpoint of the engine', () => {
  it.each(['tiny', 'tiny at float16', 'base'])('computes the same log-probabilities: %s', async (which) => {
    const half = join(folder, 'half.safetensors');
    await writeCheckpoint(half, { config: TINY_MODEL, weights: trainer.weights }, { precision: 'float16' });
    const base = fileURLToPath(new URL('../../base/weights.safetensors', import.meta.url));
    const path = { tiny: checkpoint, 'tiny at float16': half, base }[which]!;
    const { config, weights } = await readCheckpoint(path);
    const data = [7, config.contextTokens, 65].map((length, seed) => shifted(randomIds(length, seed, config.vocabularySize)));
    const engine = createTrainer({ runtime: await loadRuntime(), config, weights, threads: 1, tokenBudget: 2048 });
    const computed = await engine.forward(data);
    const expected = askTorch<number[][]>({ call: 'logprobs', checkpoint: path, sequences: data });
    computed.forEach(({ logprobs }, sequence) => {
      expect(expected[sequence]).toHaveLength(logprobs.length);
      expect(largest(logprobs.map((value, position) => value - expected[sequence]![position]!))).toBeLessThan(1e-4);
    });
  });

  it('computes the same gradient of every tensor by autograd', async () => {
    const expected = askTorch<ByName>({ call: 'gradients', checkpoint, sequences, logprobGradients });
    await trainer.forwardBackward(sequences, logprobGradients);
    expect(Object.keys(expected).sort()).toEqual(slots.map(({ name }) => name).sort());
    const errors = slots.map((slot) => [slot.name, relativeError(slotView(trainer.gradient, slot), expected[slot.name]!)] as const);
    expect(errors.filter(([, error]) => !(error < 1e-5))).toEqual([]);
    trainer.gradient.fill(0);
  });

  it('moves every tensor as torch.optim.AdamW does, with a gradient that is clipped and one that is not', async () => {
    const before = trainer.weights.slice();
    const norms: number[] = [];
    const steps = [1, 1e-3, 0.5].map((scale) => ({ scale, gradient: {} as Record<string, Float32Array> }));
    for (const { scale, gradient } of steps) {
      const slopes = logprobGradients.map((row) => row.map((value) => scale * value));
      await trainer.forwardBackward(sequences, slopes);
      for (const slot of slots) gradient[slot.name] = slotView(trainer.gradient, slot).slice();
      norms.push(trainer.optimStep({ learningRate: 1e-2 }).gradientNorm);
    }
    const question = { call: 'adamw', checkpoint, steps: steps.map(({ gradient }) => gradient), learningRate: 1e-2 };
    const expected = askTorch<{ norms: number[]; weights: ByName }>(question);
    expect(Math.max(...norms)).toBeGreaterThan(1);
    expect(Math.min(...norms)).toBeLessThan(1);
    expect(relativeError(norms, expected.norms)).toBeLessThan(1e-5);
    const errors = slots.map((slot) => {
      const start = slotView(before, slot);
      const move = (values: ArrayLike<number>) => Array.from(values, (value, index) => value - start[index]!);
      return [slot.name, relativeError(move(slotView(trainer.weights, slot)), move(expected.weights[slot.name]!))] as const;
    });
    expect(errors.filter(([, error]) => !(error < 1e-5))).toEqual([]);
  });
});

function relativeError(values: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (values.length !== expected.length) return Number.NaN;
  const difference = Array.from(values, (value, index) => value - expected[index]!);
  return Math.hypot(...difference) / Math.hypot(...Array.from(expected));
}

function largest(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}
