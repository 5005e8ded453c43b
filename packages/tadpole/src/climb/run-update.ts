import { join } from 'node:path';
import { type Sampler, TadpoleError, type TadpoleEvent } from '@tadpole/contracts';
import { type Batch, type CanaryReading, type CanaryReport, checkCanary, updatePolicy } from '@tadpole/dppo-trainer';
import { seededRandom } from '@tadpole/taskpilot';
import type { ClimbContext } from './climb-context.js';
import { checkpointName } from './resume-position.js';
import { batchOf, type UpdateRollouts } from './roll-out-update.js';

/**
 * One update: DPPO, or another loss, over the tokens of its rollouts; a new sampler, checked against the trainer; the state saved, then
 * journaled. Returns the new sampler.
 *
 * @param options.history - weights versions up to the one that is trained, oldest first
 * @throws TadpoleError `engine` when the loss or a gradient is not finite, or the new sampler disagrees with the
 * trainer.
 */
export async function* runUpdate(options: {
  context: ClimbContext;
  rollouts: UpdateRollouts;
  history: readonly string[];
  iteration: number;
  update: number;
  canary: CanaryReading | undefined;
}): AsyncGenerator<TadpoleEvent, { sampler: Sampler; canary: CanaryReading }> {
  const { context, rollouts, history, iteration, update } = options;
  const { client, now } = context.options;
  const startedMs = now().getTime();

  const batch = batchOf({ context, history, ...rollouts });
  const trained = batch.sequences.length > 0 ? yield* train({ context, batch, iteration, update }) : {};
  const metrics: Record<string, number> = { ...batch.counts, ...trained, ...rollouts.metrics, trainedRollouts: batch.counts.rollouts };

  const next = await client.createSampler();
  const { reading, alarms } = await readCanary({ context, sampler: next, previous: options.canary, trained: batch.sequences.length > 0 });
  for (const { kind, detail } of alarms) yield context.recordOnce({ type: 'update-alarm', iteration, update, alarm: kind, detail });
  assertFollows(alarms);
  const directory = join(context.store.folder('checkpoints'), checkpointName({ iteration, update }));
  await client.saveState(directory);
  metrics.updateSeconds = (now().getTime() - startedMs) / 1000;
  metrics.trainedTokensPerSecond = batch.counts.trainedTokens / Math.max(0.001, metrics.updateSeconds);
  yield context.record({
    type: 'update-end',
    iteration,
    update,
    weightsVersion: next.weightsVersion,
    metrics,
  });
  return { sampler: next, canary: reading };
}

async function* train(options: {
  context: ClimbContext;
  batch: Batch;
  iteration: number;
  update: number;
}): AsyncGenerator<TadpoleEvent, Readonly<Record<string, number>>> {
  const { context, batch, iteration, update } = options;
  const { training, seed } = context.configuration;
  const report = await updatePolicy({
    client: context.options.client,
    loss: context.loss,
    batch,
    optimizer: optimizerOf(training),
    minibatches: training.minibatches,
    epochs: training.epochs,
    random: seededRandom(`${seed} minibatches ${iteration} ${update}`),
    signal: context.options.signal,
  });
  for (const { kind, detail } of report.alarms) yield context.recordOnce({ type: 'update-alarm', iteration, update, alarm: kind, detail });
  if (report.completed) return report.metrics;
  throw new TadpoleError({
    code: 'engine',
    message: `Update ${update} of iteration ${iteration} was stopped: ${report.alarms.map(({ detail }) => detail).join('; ')}. The weights before it are in ${context.store.directory}/checkpoints; lower the learning rate.`,
  });
}

function optimizerOf(training: ClimbContext['configuration']['training']) {
  const { learningRate, beta1, beta2, weightDecay, gradientClip } = training;
  return { learningRate, beta1, beta2, weightDecay, gradientClip };
}

async function readCanary(options: {
  context: ClimbContext;
  sampler: Sampler;
  previous: CanaryReading | undefined;
  trained: boolean;
}): Promise<CanaryReport> {
  const { context, sampler } = options;
  const previous = options.trained && context.configuration.training.learningRate > 0 ? options.previous : undefined;
  return checkCanary({ client: context.options.client, sampler, ...context.canary, previous });
}

function assertFollows(alarms: CanaryReport['alarms']): void {
  const serious = alarms.filter(({ kind }) => kind === 'sampler-differs' || kind === 'sampler-stale');
  if (serious.length === 0) return;
  const message = `The new sampler does not follow the trainer: ${serious.map(({ detail }) => detail).join('; ')}`;
  throw new TadpoleError({ code: 'engine', message });
}
