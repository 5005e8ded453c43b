import { type Loss, type OptimizerSettings, TadpoleError, type TrainingClient } from '@tadpole/contracts';
import type { Batch } from './build-batch.js';
import type { TrainingSequence } from './build-sequences.js';
import { evaluateLoss, hasFiniteLogprobs } from './evaluate-loss.js';
import { splitMinibatches } from './split-minibatches.js';
import { summariseSteps } from './summarise-steps.js';

/** A sign that training diverges. All but `ratio-explosion` end the update. */
export interface UpdateAlarm {
  /**
   * `non-finite-logprobs`, `non-finite-loss`, `non-finite-gradient`: seen before this minibatch changed anything.
   * `non-finite-gradient-norm`: seen after its optimizer step, so reload the last checkpoint.
   * `ratio-explosion`: an importance ratio above the alarm level; the step was taken.
   */
  readonly kind: 'non-finite-logprobs' | 'non-finite-loss' | 'non-finite-gradient' | 'non-finite-gradient-norm' | 'ratio-explosion';
  readonly epoch: number;
  readonly minibatch: number;
  readonly detail: string;
}

/** One optimizer step. */
export interface StepReport {
  readonly epoch: number;
  readonly minibatch: number;
  readonly sequences: number;
  readonly trainedTokens: number;
  /** The loss's metrics, with `entropy` where the engine gives it and `gradientNorm` before clipping. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** What an update did. */
export interface UpdateReport {
  /** Steps' metrics averaged over trained tokens, with the batch's counts; every number is finite. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly steps: readonly StepReport[];
  readonly alarms: readonly UpdateAlarm[];
  /** False when an alarm ended the update early. */
  readonly completed: boolean;
}

/**
 * Trains on a batch. Every epoch shuffles the sequences into minibatches; each minibatch gets a forward pass of
 * its own under the current weights, the loss over all its tokens, one backward pass and one optimizer
 * step. The first minibatch's ratios are 1 up to the difference between sampler and trainer; a trust-region
 * mask does its work from the second on, hence the default of two.
 *
 * @throws TadpoleError `invalid-input` for an empty batch or a count below 1; `aborted` by the signal,
 * between steps; whatever the client throws.
 */
export async function updatePolicy(options: {
  client: TrainingClient;
  loss: Loss;
  batch: Batch;
  optimizer: OptimizerSettings;
  /** Optimizer steps of one epoch; fewer when there are fewer sequences. @default 2 */
  minibatches?: number;
  /** @default 1 */
  epochs?: number;
  /** Uniform in [0, 1); decides the split. */
  random: () => number;
  /** Importance ratio above which an alarm is raised. @default 1000 */
  ratioAlarm?: number;
  signal?: AbortSignal;
}): Promise<UpdateReport> {
  const { batch, minibatches = 2, epochs = 1, random, signal } = options;
  if (batch.sequences.length === 0) {
    throw invalid('Expected a batch with at least one sequence, got none: every group was dropped. Skip the update and count it.');
  }
  if (!(Number.isInteger(minibatches) && minibatches > 0 && Number.isInteger(epochs) && epochs > 0)) {
    throw invalid(`Expected positive whole numbers of minibatches and epochs, got ${minibatches} and ${epochs}.`);
  }
  const steps: StepReport[] = [];
  const alarms: UpdateAlarm[] = [];
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const [minibatch, sequences] of splitMinibatches({ sequences: batch.sequences, count: minibatches, random }).entries()) {
      if (signal?.aborted) throw new TadpoleError({ code: 'aborted', message: 'The update was aborted between two optimizer steps.' });
      const taken = await takeStep({ ...options, sequences, epoch, minibatch });
      alarms.push(...taken.alarms);
      if (taken.step) steps.push(taken.step);
      if (taken.alarms.some(({ kind }) => kind !== 'ratio-explosion')) {
        return { metrics: summariseSteps(steps, batch.counts), steps, alarms, completed: false };
      }
    }
  }
  return { metrics: summariseSteps(steps, batch.counts), steps, alarms, completed: true };
}

async function takeStep(options: {
  client: TrainingClient;
  loss: Loss;
  optimizer: OptimizerSettings;
  sequences: readonly TrainingSequence[];
  epoch: number;
  minibatch: number;
  ratioAlarm?: number;
  signal?: AbortSignal;
}): Promise<{ step?: StepReport; alarms: UpdateAlarm[] }> {
  const { client, sequences, epoch, minibatch, ratioAlarm = 1000, signal } = options;
  const alarm = (kind: UpdateAlarm['kind'], detail: string): UpdateAlarm => ({ kind, epoch, minibatch, detail });
  const data = sequences.map(({ datum }) => datum);
  const forwards = await client.forward({ data, signal });
  if (!hasFiniteLogprobs(sequences, forwards)) {
    return { alarms: [alarm('non-finite-logprobs', 'A trained token has no finite log-probability under the current weights.')] };
  }
  const { loss, gradients, metrics, entropy } = evaluateLoss({ loss: options.loss, sequences, forwards });
  if (!Number.isFinite(loss)) return { alarms: [alarm('non-finite-loss', `The loss is ${loss}.`)] };
  const finite = gradients.every((gradient) => gradient.every((value) => Number.isFinite(Math.fround(value))));
  if (!finite) return { alarms: [alarm('non-finite-gradient', 'The gradient has an entry that single precision cannot hold.')] };

  await client.forwardBackward({ data, gradients, signal });
  const { gradientNorm } = await client.optimStep({ ...options.optimizer, signal });
  const alarms: UpdateAlarm[] = [];
  if (gradientNorm !== undefined && !Number.isFinite(gradientNorm))
    alarms.push(alarm('non-finite-gradient-norm', `The gradient norm is ${gradientNorm}.`));
  const ratioMax = metrics.ratioMax ?? 0;
  if (ratioMax > ratioAlarm) alarms.push(alarm('ratio-explosion', `An importance ratio is ${ratioMax}, above ${ratioAlarm}.`));
  const step: StepReport = {
    epoch,
    minibatch,
    sequences: sequences.length,
    trainedTokens: sequences.reduce((sum, sequence) => sum + sequence.trainedTokens, 0),
    metrics: { ...metrics, loss, ...(entropy === undefined ? {} : { entropy }), ...(gradientNorm === undefined ? {} : { gradientNorm }) },
  };
  return { step, alarms };
}

function invalid(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
