import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Datum, type DatumForward, TadpoleError, type TrainingClient } from '@tadpole/contracts';
import { z } from 'zod';
import { type BigramModel, createStream, nextLogprobs } from './bigram-model.js';
import { createBigramSampler } from './bigram-sampler.js';
import { ENGINE_LOSSES, engineLossSlope } from './engine-losses.js';

const stateSchema = z.strictObject({
  vocabularySize: z.int().positive(),
  steps: z.int().min(0),
  logits: z.array(z.number()),
  firstMoment: z.array(z.number()),
  secondMoment: z.array(z.number()),
});

/**
 * The smallest real engine: a bigram softmax model in double precision with exact gradients and AdamW.
 * It learns what bigrams can express, so loops over a {@link TrainingClient} can be tested in
 * milliseconds without a stand-in. Same seed and calls, same bits.
 */
export function createBigramClient(options: {
  vocabularySize: number;
  /** Of the initial logits, uniform in [-0.5, 0.5). @default 0 */
  seed?: number;
  /** @default 256 */
  contextTokens?: number;
}): TrainingClient {
  const { vocabularySize, seed = 0, contextTokens = 256 } = options;
  const random = createStream(seed, 0);
  const size = vocabularySize * vocabularySize;
  const model: BigramModel = { vocabularySize, logits: Float64Array.from({ length: size }, () => random() - 0.5) };
  const gradient = new Float64Array(size);
  const firstMoment = new Float64Array(size);
  const secondMoment = new Float64Array(size);
  let steps = 0;
  let samplers = 0;

  return {
    async forward({ data, signal }) {
      assertCall(data, options, signal);
      return data.map((datum) => scoreDatum(model, datum));
    },
    async forwardBackward({ data, gradients, signal }) {
      assertCall(data, options, signal);
      if (gradients.length !== data.length || data.some(({ targets }, i) => gradients[i]?.length !== targets.length)) {
        throw new TadpoleError({ code: 'invalid-input', message: 'Expected one gradient for each datum, of the length of its targets.' });
      }
      for (const [i, datum] of data.entries()) addGradient({ model, gradient, datum, slopes: gradients[i] ?? new Float64Array() });
      return data.map((datum) => scoreDatum(model, datum));
    },
    async forwardBackwardLoss({ data, loss, inputs, signal }) {
      assertCall(data, options, signal);
      const forwards = data.map((datum) => scoreDatum(model, datum));
      for (const [i, datum] of data.entries()) {
        const { rolloutLogprobs, advantages } = inputs[i] ?? { rolloutLogprobs: [], advantages: [] };
        const slopes = Float64Array.from(forwards[i]?.logprobs ?? [], (logprob, t) =>
          engineLossSlope(loss, { logprob, rolloutLogprob: rolloutLogprobs[t] ?? Number.NaN, advantage: advantages[t] ?? Number.NaN }),
        );
        addGradient({ model, gradient, datum, slopes });
      }
      return forwards;
    },
    async optimStep({ learningRate, beta1 = 0.9, beta2 = 0.98, epsilon = 1e-8, weightDecay = 0.1, gradientClip = 1 }) {
      const gradientNorm = Math.sqrt(gradient.reduce((sum, value) => sum + value * value, 0));
      const scale = gradientClip > 0 && gradientNorm > gradientClip ? gradientClip / gradientNorm : 1;
      steps += 1;
      for (let i = 0; i < size; i += 1) {
        const slope = (gradient[i] ?? 0) * scale;
        const first = beta1 * (firstMoment[i] ?? 0) + (1 - beta1) * slope;
        const second = beta2 * (secondMoment[i] ?? 0) + (1 - beta2) * slope * slope;
        firstMoment[i] = first;
        secondMoment[i] = second;
        const step = first / (1 - beta1 ** steps) / (Math.sqrt(second / (1 - beta2 ** steps)) + epsilon);
        model.logits[i] = (model.logits[i] ?? 0) * (1 - learningRate * weightDecay) - learningRate * step;
      }
      gradient.fill(0);
      return { gradientNorm };
    },
    async saveState(directory) {
      await mkdir(directory, { recursive: true });
      const state = { vocabularySize, steps, logits: [...model.logits], firstMoment: [...firstMoment], secondMoment: [...secondMoment] };
      const file = join(directory, 'bigram.json');
      await writeFile(`${file}.partial`, JSON.stringify(state));
      await rename(`${file}.partial`, file);
    },
    async loadState(directory, { optimizer = true } = {}) {
      const state = stateSchema.parse(JSON.parse(await readFile(join(directory, 'bigram.json'), 'utf8')));
      if (state.vocabularySize !== vocabularySize) {
        throw new TadpoleError({
          code: 'invalid-input',
          message: `Expected the state of a model of ${vocabularySize} tokens, got ${state.vocabularySize}.`,
        });
      }
      model.logits.set(state.logits);
      steps = optimizer ? state.steps : 0;
      firstMoment.set(optimizer ? state.firstMoment : new Float64Array(size));
      secondMoment.set(optimizer ? state.secondMoment : new Float64Array(size));
      gradient.fill(0);
    },
    async createSampler() {
      samplers += 1;
      return createBigramSampler({ model, weightsVersion: `bigram-${samplers}`, contextTokens });
    },
    async capabilities() {
      const sizes = { contextTokens, vocabularySize, parameters: size };
      return { engine: 'bigram', ...sizes, customLoss: true, entropy: true, deterministic: true, losses: ENGINE_LOSSES };
    },
  };
}

/** Adds sum over t of slopes[t] * d log p(targets[t] | inputs[t]) / d logits to the gradient. */
function addGradient(options: { model: BigramModel; gradient: Float64Array; datum: Datum; slopes: Float32Array | Float64Array }): void {
  const { model, gradient, datum, slopes } = options;
  for (const [t, current] of datum.inputs.entries()) {
    const slope = slopes[t] ?? 0;
    if (slope === 0) continue;
    const row = current * model.vocabularySize;
    for (const [next, logprob] of nextLogprobs(model, current).entries()) {
      gradient[row + next] = (gradient[row + next] ?? 0) + slope * ((next === datum.targets[t] ? 1 : 0) - Math.exp(logprob));
    }
  }
}

function scoreDatum(model: BigramModel, { inputs, targets }: Datum): DatumForward {
  const rows = [...inputs].map((current) => nextLogprobs(model, current));
  return {
    logprobs: Float32Array.from(rows, (row, t) => row[targets[t] ?? 0] ?? Number.NaN),
    entropy: Float32Array.from(rows, (row) => row.reduce((sum, logprob) => sum - Math.exp(logprob) * logprob, 0)),
  };
}

function assertCall(data: readonly Datum[], limits: { vocabularySize: number }, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new TadpoleError({ code: 'aborted', message: 'The call was aborted.' });
  for (const { inputs, targets } of data) {
    const known = [...inputs, ...targets].every((id) => id >= 0 && id < limits.vocabularySize);
    if (inputs.length !== targets.length || !known) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `Expected inputs and targets of one length with ids below ${limits.vocabularySize}, got lengths ${inputs.length} and ${targets.length}.`,
      });
    }
  }
}
