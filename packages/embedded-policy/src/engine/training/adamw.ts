import { type OptimizerSettings, TadpoleError } from '@tadpole/contracts';
import type { WeightLayout } from '../model/weight-layout.js';

/** First and second moments, flat in the order of the layout, and the number of steps taken. */
export interface AdamwState {
  readonly first: Float32Array;
  readonly second: Float32Array;
  step: number;
}

/** Zero moments for `length` weights. */
export function createAdamwState(length: number): AdamwState {
  return { first: new Float32Array(length), second: new Float32Array(length), step: 0 };
}

/** What {@link adamwStep} works on; `weights` and `state` change in place. */
export interface AdamwInputs {
  readonly layout: WeightLayout;
  readonly weights: Float32Array;
  readonly gradient: Float32Array;
  readonly state: AdamwState;
}

/**
 * One AdamW step (Loshchilov and Hutter 2017, arXiv:1711.05101). Decay applies to matrices; vectors (norms, key shifts)
 * are exempt. Returns the gradient's norm before clipping. When the norm is not finite nothing changes, so that one
 * broken batch cannot destroy the weights.
 *
 * @throws TadpoleError `invalid-input` for settings that would.
 */
export function adamwStep({ layout, weights, gradient, state }: AdamwInputs, settings: OptimizerSettings): { gradientNorm: number } {
  const { learningRate, beta1 = 0.9, beta2 = 0.98, epsilon = 1e-8, weightDecay = 0.1, gradientClip = 1 } = settings;
  assertSettings({ learningRate, beta1, beta2, epsilon, weightDecay, gradientClip });
  let squares = 0;
  for (let index = 0; index < gradient.length; index++) squares += gradient[index]! * gradient[index]!;
  const gradientNorm = Math.sqrt(squares);
  if (!Number.isFinite(gradientNorm)) return { gradientNorm };

  const clip = gradientClip > 0 && gradientNorm > gradientClip ? gradientClip / gradientNorm : 1;
  state.step += 1;
  const firstScale = 1 / (1 - beta1 ** state.step);
  const secondScale = 1 / (1 - beta2 ** state.step);
  const { first, second } = state;
  for (const { shape, offset, length } of layout.slots) {
    const keep = shape.length > 1 ? 1 - learningRate * weightDecay : 1;
    for (let index = offset; index < offset + length; index++) {
      const slope = gradient[index]! * clip;
      const mean = beta1 * first[index]! + (1 - beta1) * slope;
      const square = beta2 * second[index]! + (1 - beta2) * slope * slope;
      first[index] = mean;
      second[index] = square;
      weights[index] = keep * weights[index]! - (learningRate * mean * firstScale) / (Math.sqrt(square * secondScale) + epsilon);
    }
  }
  return { gradientNorm };
}

/** Beyond it any step leaves the range of single precision soon. */
const mostRate = 1e3;

function assertSettings(settings: Required<OptimizerSettings>): void {
  const { learningRate, beta1, beta2, epsilon, weightDecay, gradientClip } = settings;
  const problem =
    (within(learningRate, 0, mostRate) ? undefined : `learningRate from 0 to ${mostRate}, got ${learningRate}`) ??
    (within(beta1, 0, 1) && beta1 < 1 ? undefined : `beta1 from 0 to below 1, got ${beta1}`) ??
    (within(beta2, 0, 1) && beta2 < 1 ? undefined : `beta2 from 0 to below 1, got ${beta2}`) ??
    (epsilon > 0 && Number.isFinite(epsilon) ? undefined : `a positive epsilon, got ${epsilon}`) ??
    (within(weightDecay, 0, mostRate) ? undefined : `weightDecay from 0 to ${mostRate}, got ${weightDecay}`) ??
    (gradientClip >= 0 ? undefined : `a gradientClip of 0 or more, got ${gradientClip}`);
  if (problem !== undefined) throw new TadpoleError({ code: 'invalid-input', message: `Optimizer: expected ${problem}.` });
}

function within(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}
