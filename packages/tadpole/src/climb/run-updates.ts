import { type Sampler, TadpoleError, type TadpoleEvent, type Task } from '@tadpole/contracts';
import { type CanaryReading, checkCanary } from '@tadpole/dppo-trainer';
import type { ClimbContext } from './climb-context.js';
import { rollOutUpdate, type UpdateRollouts } from './roll-out-update.js';
import { type BackgroundProcess, runInBackground } from './run-in-background.js';
import { runUpdate } from './run-update.js';

type RolloutsBehind = BackgroundProcess<TadpoleEvent, UpdateRollouts>;

/**
 * The updates of an iteration. With `training.maxLag` of L the rollouts of the next L updates are made while an update trains, by
 * the sampler of L updates before (asynchronous rollouts as in PipelineRL, arXiv 2509.19128, with the lag bounded; weights change between
 * rollouts, not within one). Which sampler makes which rollout depends on the numbers of the updates alone, never on time, so that a seed
 * gives the same run.
 *
 * @param options.samplers - by update: the sampler of the weights before it, for the first update and those up to L before
 * @throws TadpoleError `unsupported` for a lag with an engine whose samplers follow its training; what rollouts and updates throw.
 */
export async function* runUpdates(options: {
  context: ClimbContext;
  samplers: ReadonlyMap<number, Sampler>;
  tasks: readonly Task[];
  iteration: number;
  firstUpdate: number;
}): AsyncGenerator<TadpoleEvent, Sampler> {
  const { context, tasks, iteration, firstUpdate } = options;
  const { updatesPerIteration, maxLag = 0 } = context.configuration.training;
  const { client, signal } = context.options;
  const samplers = new Map(options.samplers);
  const samplerBefore = (update: number) => samplers.get(Math.max(0, update)) as Sampler;
  const stop = new AbortController();
  const behind = { ...context, options: { ...context.options, signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal } };
  /** By update; gone once it is learned from. */
  const begun = new Map<number, RolloutsBehind>();
  let nextUpdate = firstUpdate;
  if (maxLag > 0) await assertSnapshots(context);
  let sampler = samplerBefore(firstUpdate);
  let canary: CanaryReading | undefined = (await checkCanary({ client, sampler, ...context.canary })).reading;
  try {
    for (let update = firstUpdate; update < updatesPerIteration; update += 1) {
      for (; nextUpdate <= Math.min(update + maxLag, updatesPerIteration - 1); nextUpdate += 1) {
        const sampler = samplerBefore(nextUpdate - maxLag);
        const rollouts = rollOutUpdate({ context: behind, sampler, tasks, iteration, update: nextUpdate });
        begun.set(nextUpdate, runInBackground(after(begun.get(nextUpdate - 1), rollouts)));
      }
      const rollouts = yield* (begun.get(update) as RolloutsBehind).follow();
      begun.delete(update);
      const history = [...samplers.values()].map(({ weightsVersion }) => weightsVersion);
      ({ sampler, canary } = yield* runUpdate({ context, rollouts, history, iteration, update, canary }));
      samplers.set(update + 1, sampler);
      samplers.delete(update - maxLag - 1);
    }
  } finally {
    stop.abort();
    await Promise.all([...begun.values()].map(({ ended }) => ended));
  }
  return sampler;
}

/** Waits for the rollouts of the update before: those that are needed first are made first. */
async function* after(
  previous: RolloutsBehind | undefined,
  rollouts: AsyncGenerator<TadpoleEvent, UpdateRollouts>,
): AsyncGenerator<TadpoleEvent, UpdateRollouts> {
  if ((await previous?.ended) === false) {
    throw new TadpoleError({ code: 'aborted', message: 'The rollouts of the update before failed.' });
  }
  return yield* rollouts;
}

async function assertSnapshots({ options }: ClimbContext): Promise<void> {
  const { engine, samplerIsSnapshot = true } = await options.client.capabilities();
  if (samplerIsSnapshot) return;
  throw new TadpoleError({
    code: 'unsupported',
    message: `Expected an engine whose samplers stay as they were made, since training.maxLag lets rollouts go on while it trains; those of engine "${engine}" follow its weights. Set training.maxLag to 0.`,
  });
}
