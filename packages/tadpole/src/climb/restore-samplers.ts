import { join } from 'node:path';
import type { Sampler } from '@tadpole/contracts';
import type { ClimbContext } from './climb-context.js';
import { checkpointName, type ResumePosition } from './resume-position.js';

/**
 * Brings the client to where a journal ends. Returns, by update, the sampler of the weights before it: that of the next update, and
 * those of as many updates before as rollouts may lag behind.
 */
export async function restoreSamplers(options: { context: ClimbContext; position: ResumePosition }): Promise<ReadonlyMap<number, Sampler>> {
  const { context, position } = options;
  const { client } = context.options;
  const { maxLag = 0, updatesPerIteration } = context.configuration.training;
  const load = (checkpoint: string) => client.loadState(join(context.store.directory, 'checkpoints', checkpoint));
  const samplers = new Map<number, Sampler>();
  const isDone = position.updates === updatesPerIteration;
  for (let update = isDone ? position.updates : Math.max(0, position.updates - maxLag); update < position.updates; update += 1) {
    const checkpoint = checkpointBefore({ iteration: position.iteration, update, updatesPerIteration });
    if (checkpoint) await load(checkpoint);
    samplers.set(update, await client.createSampler());
  }
  if (position.checkpoint) await load(position.checkpoint);
  return samplers.set(position.updates, await client.createSampler());
}

/** Undefined for the weights that a run starts with, which the client has before anything is loaded. */
function checkpointBefore(options: { iteration: number; update: number; updatesPerIteration: number }): string | undefined {
  const { iteration, update, updatesPerIteration } = options;
  if (update > 0) return checkpointName({ iteration, update: update - 1 });
  return iteration === 0 ? undefined : checkpointName({ iteration: iteration - 1, update: updatesPerIteration - 1 });
}
