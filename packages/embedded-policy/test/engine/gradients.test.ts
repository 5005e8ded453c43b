import { beforeAll, describe, expect, it } from 'vitest';
import { type WeightSlot, weightLayout } from '../../src/engine/model/weight-layout.js';
import { createRandom, nextNormal } from '../../src/engine/random.js';
import type { TrainingSequence } from '../../src/engine/training/batch-feeds.js';
import type { Trainer } from '../../src/engine/training/trainer.js';
import { randomIds, shifted, TINY_MODEL, tinyTrainer } from './tiny-model.js';

/** A loss over the log-probabilities [T] of each sequence, and its gradient. */
interface LogprobLoss {
  value(logprobs: readonly Float32Array[]): number;
  gradient(logprobs: readonly Float32Array[]): Float32Array[];
}

const { slots } = weightLayout(TINY_MODEL);
let trainer: Trainer;

beforeAll(async () => {
  trainer = await tinyTrainer();
});

const sequences = [shifted(randomIds(12, 1)), shifted(randomIds(70, 2)), shifted(randomIds(9, 3))];

describe('forwardBackward agrees with central differences', () => {
  it.each(slots)('for $name under a cross entropy', (slot) => checkSlot(slot, crossEntropy(sequences)));
  it.each(slots)('for $name under a masked policy-gradient loss', (slot) => checkSlot(slot, maskedPolicyGradient(sequences)));
});

async function checkSlot(slot: WeightSlot, loss: LogprobLoss): Promise<void> {
  const gradient = await gradientOf(slot, loss);
  const length = norm(gradient);
  expect(length).toBeGreaterThan(0);

  const alongItself = await directionalDerivative(slot, unit(gradient), loss);
  expect(Math.abs(alongItself - length) / length).toBeLessThan(1e-3);

  // A random direction shows components that are missing; there the derivative is smaller by the root of the size.
  const random = createRandom(slot.offset, 5);
  const direction = unit(Float32Array.from(gradient, () => nextNormal(random)));
  const across = await directionalDerivative(slot, direction, loss);
  expect(Math.abs(across - dot(gradient, direction)) / (length / Math.sqrt(slot.length))).toBeLessThan(1e-2);
}

async function gradientOf(slot: WeightSlot, loss: LogprobLoss): Promise<Float32Array> {
  trainer.restore(trainer.weights.slice());
  await trainer.forwardBackward(sequences, loss.gradient(await logprobsNow()));
  return trainer.gradient.slice(slot.offset, slot.offset + slot.length);
}

async function directionalDerivative(slot: WeightSlot, direction: Float32Array, loss: LogprobLoss): Promise<number> {
  const step = 5e-3;
  const original = trainer.weights.slice(slot.offset, slot.offset + slot.length);
  const valueAt = async (distance: number) => {
    for (let index = 0; index < slot.length; index++)
      trainer.weights[slot.offset + index] = original[index]! + distance * direction[index]!;
    return loss.value(await logprobsNow());
  };
  const near = (await valueAt(step)) - (await valueAt(-step));
  const far = (await valueAt(2 * step)) - (await valueAt(-2 * step));
  trainer.weights.set(original, slot.offset);
  // Five points: the ratio exp(p − q) bends too much for three.
  return (8 * near - far) / (12 * step);
}

async function logprobsNow(): Promise<Float32Array[]> {
  return (await trainer.forward(sequences)).map(({ logprobs }) => logprobs);
}

function crossEntropy(data: readonly TrainingSequence[]): LogprobLoss {
  const count = data.reduce((sum, { inputs }) => sum + inputs.length, 0);
  return {
    value: (logprobs) => -sumOf(logprobs, (logprob) => logprob / count),
    gradient: (logprobs) => logprobs.map((row) => new Float32Array(row.length).fill(-1 / count)),
  };
}

/** −Σ mask · exp(logprob − rollout) · advantage, with mask, rollout log-probabilities and advantages held constant. */
function maskedPolicyGradient(data: readonly TrainingSequence[]): LogprobLoss {
  const random = createRandom(11);
  const draw = (of: () => number) => data.map(({ inputs }) => Float32Array.from(inputs, of));
  const advantages = draw(() => nextNormal(random));
  const masks = draw(() => (random() < 0.6 ? 1 : 0));
  const rollout = draw(() => -3.6 + 0.3 * nextNormal(random));
  const weighted = (logprob: number, sequence: number, position: number) =>
    -masks[sequence]![position]! * advantages[sequence]![position]! * Math.exp(logprob - rollout[sequence]![position]!);
  return {
    value: (logprobs) => sumOf(logprobs, weighted),
    gradient: (logprobs) => logprobs.map((row, sequence) => row.map((logprob, position) => weighted(logprob, sequence, position))),
  };
}

function sumOf(rows: readonly Float32Array[], of: (value: number, row: number, position: number) => number): number {
  return rows.reduce((sum, row, index) => sum + row.reduce((part, value, position) => part + of(value, index, position), 0), 0);
}

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * right[index]!, 0);
}

function norm(values: Float32Array): number {
  return Math.sqrt(dot(values, values));
}

function unit(values: Float32Array): Float32Array {
  const length = norm(values);
  return values.map((value) => value / length);
}
