import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { createSglangSampler, sglangHandleOf } from './create-sglang-sampler.js';
import type { EngineSampler } from './engine-sampler.js';
import { createEngineServer, excerpt } from './engine-server.js';
import type { SamplingServer } from './server-options.js';

const versionSchema = z.looseObject({ weight_version: z.union([z.string(), z.number()]) });
const updateSchema = z.looseObject({ success: z.boolean(), message: z.string().optional() });

/**
 * The version of the weights that an SGLang server holds: `/model_info`, or `/get_model_info` of older servers.
 * @throws TadpoleError `engine`, `invalid-config` or `aborted`.
 */
export async function readSglangVersion(options: SamplingServer & { signal?: AbortSignal }): Promise<string> {
  const { signal } = options;
  const server = createEngineServer({ ...options, name: 'SGLang' });
  const ask = (path: string, isLast: boolean) =>
    server.ask<string | undefined>({
      path,
      read: (body, text) => {
        const parsed = versionSchema.safeParse(body);
        if (parsed.success) return { value: String(parsed.data.weight_version) };
        return { problem: `expected weight_version, received ${excerpt(text)}` };
      },
      onStatus: ({ status }) => (status === 404 && !isLast ? { value: undefined } : undefined),
      ...(signal === undefined ? {} : { signal }),
    });
  const version = (await ask('/model_info', false)) ?? (await ask('/get_model_info', true));
  if (version === undefined) throw server.failure('expected weight_version, received none.');
  return version;
}

/**
 * Loads a folder of weights into a running SGLang server under a new version (`/update_weights_from_disk`), with the cache flushed.
 * When it fails, the old sampler is as usable as the server's weights are unchanged: the version in every answer is held against its own.
 *
 * @returns a sampler of the new weights; the old one refuses.
 * @throws TadpoleError `engine`, `invalid-input` or `aborted`.
 */
export async function updateSglangWeights(options: {
  sampler: EngineSampler;
  /** New. */
  weightsVersion: string;
  /** Of the model's folder, as the server sees it. */
  path: string;
  /** Ends requests in flight; without it the server lets them end first. @default false */
  abortRequests?: boolean;
  signal?: AbortSignal;
}): Promise<EngineSampler> {
  const { sampler, weightsVersion, path, abortRequests = false, signal } = options;
  const handle = sglangHandleOf(sampler);
  const { server } = handle;
  if (weightsVersion === '' || weightsVersion === sampler.weightsVersion)
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a new weights version, got ${weightsVersion || 'an empty one'}.` });
  try {
    await server.ask({
      path: '/update_weights_from_disk',
      body: { model_path: path, weight_version: weightsVersion, flush_cache: true, abort_all_requests: abortRequests },
      maxRetries: 0,
      read: (body, text) => {
        const parsed = updateSchema.safeParse(body);
        if (parsed.success && parsed.data.success) return { value: true };
        return { problem: `expected success, received ${excerpt(parsed.data?.message ?? text)}` };
      },
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (!(error instanceof TadpoleError)) throw error;
    const message = `${error.message} The sampler of ${sampler.weightsVersion} is still usable: it takes sequences of its own weights only.`;
    throw new TadpoleError({ code: error.code, message });
  }
  handle.retired = `the server has weights ${weightsVersion} now`;
  return createSglangSampler({ ...handle.options, weightsVersion });
}
