import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { createVllmSampler, vllmHandleOf } from './create-vllm-sampler.js';
import type { EngineSampler } from './engine-sampler.js';

/**
 * Exchanges a vLLM server's weights: pause, start, update, finish under the new version, resume, and the version read back where
 * the server tells it. The server must run with `VLLM_SERVER_DEV_MODE=1` and an initialised transfer engine. `updateInfo` is what that engine takes; `transfer` sends the
 * weights while the server receives them.
 *
 * The old sampler stays usable when the update fails before the first weight could have changed. Later failures leave the server with
 * weights that nobody knows: the old sampler refuses from then on, and the message says so.
 *
 * @returns a sampler of the new weights; the old one refuses.
 * @throws TadpoleError `engine`, `invalid-input` or `aborted`.
 */
export async function updateVllmWeights(options: {
  sampler: EngineSampler;
  weightsVersion: string;
  updateInfo: Readonly<Record<string, unknown>>;
  /** Runs beside the server's receiving call. @default nothing */
  transfer?: () => Promise<void>;
  /** What happens to requests in flight; `keep` lets them go on under the new weights and is not offered. @default 'wait' */
  inFlight?: 'wait' | 'abort';
  signal?: AbortSignal;
}): Promise<EngineSampler> {
  const { sampler, weightsVersion, updateInfo, transfer = async () => {}, inFlight = 'wait', signal } = options;
  const handle = vllmHandleOf(sampler);
  const { server } = handle;
  if (weightsVersion === '' || weightsVersion === sampler.weightsVersion)
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a new weights version, got ${weightsVersion || 'an empty one'}.` });
  const post = (path: string, body: Readonly<Record<string, unknown>>, maxRetries = 0) =>
    server.ask({ path, body, maxRetries, read: () => ({ value: true }), ...(signal === undefined ? {} : { signal }) });
  let isTouched = false;
  try {
    await post(`/pause?mode=${inFlight}`, {});
    await post('/start_weight_update', {});
    isTouched = true;
    await Promise.all([post('/update_weights', { update_info: updateInfo }), (async () => transfer())()]);
    await post('/finish_weight_update', { weight_version: weightsVersion });
    handle.retired = `the server has weights ${weightsVersion} now`;
    await post('/resume', {}, 3);
    await assertVersion();
  } catch (error) {
    handle.retired = isTouched ? 'an update of its server failed half way, and nobody knows the weights; load a whole set' : undefined;
    const resumed = await resumeAfterFailure();
    const fate = isTouched
      ? 'Its weights are unknown, so the old sampler refuses; load a whole set of weights'
      : `Nothing was changed: the sampler of ${sampler.weightsVersion} is still usable`;
    const message = error instanceof Error ? error.message : String(error);
    throw new TadpoleError({
      code: error instanceof TadpoleError && error.code === 'aborted' ? 'aborted' : 'engine',
      message: server.failure(
        `the update to ${weightsVersion} failed. ${message} ${fate}${resumed ? '.' : '; the server is still paused.'}`,
      ).message,
    });
  }
  return createVllmSampler({ ...handle.options, weightsVersion });

  async function assertVersion(): Promise<void> {
    const version = await server.ask<string | undefined>({
      path: '/weight_info',
      // Servers from before the route cannot be asked.
      onStatus: ({ status }) => (status === 404 ? { value: undefined } : undefined),
      read: (body) => {
        const parsed = z.looseObject({ weight_version: z.union([z.string(), z.number()]).nullable() }).safeParse(body);
        return parsed.success ? { value: String(parsed.data.weight_version) } : { problem: 'expected weight_version, received none' };
      },
      ...(signal === undefined ? {} : { signal }),
    });
    if (version !== undefined && version !== weightsVersion)
      throw server.failure(`expected weights ${weightsVersion} after the update, received ${version}.`);
  }

  /** Without the caller's signal: a server that stays paused answers nobody. */
  async function resumeAfterFailure(): Promise<boolean> {
    try {
      return await server.ask({ path: '/resume', body: {}, maxRetries: 0, read: () => ({ value: true }) });
    } catch {
      return false;
    }
  }
}
