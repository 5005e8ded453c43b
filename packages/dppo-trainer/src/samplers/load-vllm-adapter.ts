import { TadpoleError } from '@tadpole/contracts';
import { createVllmSampler, vllmHandleOf } from './create-vllm-sampler.js';
import type { EngineSampler } from './engine-sampler.js';

/**
 * Loads a LoRA adapter into a running vLLM server (`VLLM_ALLOW_RUNTIME_LORA_UPDATING=True`) and makes a sampler of it. The name is the
 * weights version, so that every version has its own and no cache mixes two up. With `unload` the adapter of the old sampler is taken out
 * afterwards; let its calls in flight end first.
 *
 * When loading fails, the old sampler is still usable and the message says so. When only the unloading fails, the new sampler comes back
 * with the name of what was left behind.
 *
 * @throws TadpoleError `engine`, `invalid-input` or `aborted`.
 */
export async function loadVllmAdapter(options: {
  /** Of the base model or of the version before. */
  sampler: EngineSampler;
  /** New: the adapter's name and the weights version. */
  name: string;
  /** Of the adapter's folder, as the server sees it. */
  path: string;
  /** Takes the old sampler's adapter out; leave it for a sampler of the base model. @default false */
  unload?: boolean;
  signal?: AbortSignal;
}): Promise<{ readonly sampler: EngineSampler; readonly leftBehind?: string }> {
  const { sampler, name, path, unload = false, signal } = options;
  const handle = vllmHandleOf(sampler);
  const { server, options: old } = handle;
  if (name === '' || name === old.model || name === sampler.weightsVersion)
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a new name for the adapter, got ${name || 'an empty one'}.` });
  const post = (route: string, body: Readonly<Record<string, unknown>>) =>
    server.ask({ path: route, body, maxRetries: 0, read: () => ({ value: true }), ...(signal === undefined ? {} : { signal }) });
  try {
    await post('/v1/load_lora_adapter', { lora_name: name, lora_path: path });
  } catch (error) {
    if (!(error instanceof TadpoleError)) throw error;
    throw new TadpoleError({ code: error.code, message: `${error.message} The sampler of ${sampler.weightsVersion} is still usable.` });
  }
  const loaded = createVllmSampler({ ...old, model: name, weightsVersion: name });
  if (!unload) return { sampler: loaded };
  handle.retired = `its adapter was replaced by ${name}`;
  try {
    await post('/v1/unload_lora_adapter', { lora_name: old.model });
    return { sampler: loaded };
  } catch {
    return { sampler: loaded, leftBehind: old.model };
  }
}
