import { type EngineLoss, type Loss, type OptimizerSettings, TadpoleError, type TrainingClient } from '@tadpole/contracts';
import type { Batch } from './build-batch.js';
import type { TrainingSequence } from './build-sequences.js';
import { packSequences } from './pack-sequences.js';
import { splitMinibatches } from './split-minibatches.js';
import { summariseSteps } from './summarise-steps.js';
import { takeStep } from './take-step.js';
import { isEnding, type StepReport, type UpdateAlarm, type UpdateReport } from './update-report.js';

/** Arguments of {@link updatePolicy} and {@link updateSteps}. */
export interface UpdateOptions {
  readonly client: TrainingClient;
  readonly loss: Loss;
  readonly batch: Batch;
  readonly optimizer: OptimizerSettings;
  /** Optimizer steps of one epoch; fewer when there are fewer rollouts. FrogNano takes 1. @default 2 */
  readonly minibatches?: number;
  /** @default 1 */
  readonly epochs?: number;
  /** Uniform in [0, 1); decides the split. */
  readonly random: () => number;
  /** Most tokens of one call to the engine, padding counted; gradients of a minibatch's calls add up. @default one call a minibatch */
  readonly maxPaddedTokens?: number;
  /**
   * Where the loss is computed. `engine` takes the engine's own where it has it, which saves the forward; `client` always computes
   * it here, so that a minibatch with numbers that are not finite is seen before it changes anything. @default 'engine'
   */
  readonly lossIn?: 'engine' | 'client';
  /** Steps that were taken before, under the same options and randomness: a resumed update leaves them out. @default 0 */
  readonly startStep?: number;
  /** Importance ratio above which an alarm is raised. @default 1000 */
  readonly ratioAlarm?: number;
  /** Masked share of trained tokens above which an alarm is raised. @default 0.5 */
  readonly maskAlarm?: number;
  /** Mean entropy in nats below which an alarm is raised, where the engine tells it. @default 0.01 */
  readonly entropyAlarm?: number;
  readonly signal?: AbortSignal;
}

/**
 * Trains on a batch. Every epoch shuffles the rollouts into minibatches; each minibatch gets a forward pass of
 * its own under the current weights, the loss over all its tokens, a backward pass and one optimizer
 * step. The first minibatch's ratios are 1 up to the difference between sampler and trainer; a trust-region
 * mask does its work from the second on, hence the default of two.
 *
 * Calls to the engine are made without waiting for the one before, so a batch costs it no idle round trip. Therefore, when a call
 * fails, the step behind it may have been taken with part of the gradient: load the last saved state and take the steps since
 * then again ({@link UpdateOptions.startStep}).
 *
 * @throws TadpoleError `invalid-input` for an empty batch, a count below 1, or a sequence longer than the engine's context or the
 * budget of a call; `unsupported` where the engine takes neither a gradient nor this loss; `aborted` by the signal; whatever
 * the client throws.
 */
export async function updatePolicy(options: UpdateOptions): Promise<UpdateReport> {
  const steps = updateSteps(options);
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
  }
}

/**
 * {@link updatePolicy} step by step: yields after every optimizer step, when nothing is in flight, so that the state may be saved; returns
 * the report. An update that is begun again with the saved state, `startStep` and a `random` of the same seed ends in the
 * same weights as one that was never interrupted. Its report is about the steps that it took itself.
 */
export async function* updateSteps(options: UpdateOptions): AsyncGenerator<StepReport, UpdateReport> {
  const { client, loss, batch, optimizer, maxPaddedTokens, startStep = 0, signal } = options;
  const { ratioAlarm = 1000, maskAlarm = 0.5, entropyAlarm = 0.01 } = options;
  const planned = planSteps(options);
  const engineLoss = await chooseLoss(options);
  const steps: StepReport[] = [];
  const alarms: UpdateAlarm[] = [];
  const finish = (completed: boolean): UpdateReport => ({ metrics: summariseSteps(steps, batch.counts), steps, alarms, completed });
  for (const { position, sequences } of planned.slice(startStep)) {
    if (signal?.aborted) throw new TadpoleError({ code: 'aborted', message: 'The update was aborted between two optimizer steps.' });
    const packs = maxPaddedTokens === undefined ? [sequences] : packSequences({ sequences, maxPaddedTokens });
    const levels = { ratioAlarm, maskAlarm, entropyAlarm };
    const taken = await takeStep({ client, loss, engineLoss, optimizer, packs, position, levels, signal });
    alarms.push(...taken.alarms);
    if (taken.report) steps.push(taken.report);
    if (taken.alarms.some(isEnding)) return finish(false);
    if (taken.report) yield taken.report;
  }
  return finish(true);
}

/** All steps of the update, in order, those that were taken before among them: their draws decide the later splits. */
function planSteps({ batch, minibatches = 2, epochs = 1, random, startStep = 0 }: UpdateOptions) {
  assertOptions({ batch, minibatches, epochs, startStep });
  return Array.from({ length: epochs }, (_, epoch) =>
    splitMinibatches({ sequences: batch.sequences, count: minibatches, random }).map((sequences, minibatch) => ({
      position: { epoch, minibatch },
      sequences,
    })),
  )
    .flat()
    .map(({ position, sequences }, step) => ({ position: { step, ...position }, sequences }));
}

/** The engine's form of the loss where it shall and can be used, after holding the batch against what the engine takes. */
async function chooseLoss({ client, loss, batch, lossIn = 'engine' }: UpdateOptions): Promise<EngineLoss | undefined> {
  const { engine, contextTokens, customLoss, losses = [] } = await client.capabilities();
  const long = batch.sequences.find(({ datum }) => datum.targets.length > contextTokens);
  if (long) {
    throw invalid(
      `Expected sequences of at most ${contextTokens} tokens, the context of engine "${engine}", got ${long.datum.targets.length} in ${nameOf(long)}. Roll out with a smaller context.`,
    );
  }
  const { engineLoss } = loss;
  if (lossIn === 'engine' && engineLoss && losses.includes(engineLoss.name) && client.forwardBackwardLoss) return engineLoss;
  if (customLoss) return undefined;
  throw new TadpoleError({
    code: 'unsupported',
    message: `Expected a loss that engine "${engine}" has itself (${losses.join(', ') || 'none'}), since it takes no gradient, got ${engineLoss ? `"${engineLoss.name}"${lossIn === 'client' ? ' with lossIn "client"' : ''}` : 'one without engineLoss'}.`,
  });
}

function assertOptions(options: { batch: Batch; minibatches: number; epochs: number; startStep: number }): void {
  const { batch, minibatches, epochs, startStep } = options;
  if (batch.sequences.length === 0) {
    throw invalid('Expected a batch with at least one sequence, got none: every group was dropped. Skip the update and count it.');
  }
  if (!(Number.isInteger(minibatches) && minibatches > 0 && Number.isInteger(epochs) && epochs > 0)) {
    throw invalid(`Expected positive whole numbers of minibatches and epochs, got ${minibatches} and ${epochs}.`);
  }
  if (!(Number.isInteger(startStep) && startStep >= 0)) throw invalid(`Expected a whole number of steps to leave out, got ${startStep}.`);
}

function nameOf({ trajectoryId, taskId }: TrainingSequence): string {
  return `trajectory ${trajectoryId} of task ${taskId}`;
}

function invalid(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
