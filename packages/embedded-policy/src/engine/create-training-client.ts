import { join } from 'node:path';
import type { Sampler, TrainingClient } from '@tadpole/contracts';
import type { Engine, EngineSampler } from './create-engine.js';
import { weightLayout } from './model/weight-layout.js';

/** Name of the state file in the folder that `saveState` is given. */
const STATE_FILE = 'state.safetensors';

/**
 * Presents an engine as the `TrainingClient` of the training loop. The engine stays the caller's: it is closed by whom
 * it was created. Sampler versions are hashes of the weights, so they keep their meaning when a run is resumed.
 */
export function createTrainingClient({ engine }: { readonly engine: Engine }): TrainingClient {
  const { contextTokens, vocabularySize } = engine.config;
  return {
    forward: ({ data, signal }) => engine.forward({ sequences: data }, signal),
    async forwardBackward({ data, gradients, signal }) {
      const logprobGradients = gradients.map((gradient) => Float32Array.from(gradient));
      const logprobs = await engine.forwardBackward({ sequences: data, logprobGradients }, signal);
      return logprobs.map((row) => ({ logprobs: row }));
    },
    optimStep: ({ signal, ...settings }) => engine.optimStep(settings, signal),
    saveState: (directory) => engine.saveState(join(directory, STATE_FILE)),
    loadState: (directory, options) => engine.loadState(join(directory, STATE_FILE), options),
    createSampler: async () => createTokenSampler({ sampler: await engine.createSampler(), contextTokens }),
    capabilities: async () => ({
      engine: 'embedded',
      contextTokens,
      vocabularySize,
      parameters: weightLayout(engine.config).length,
      customLoss: true,
      entropy: true,
      deterministic: true,
    }),
  };
}

/** Presents a snapshot of the engine as the `Sampler` of the contracts. */
export function createTokenSampler({
  sampler,
  contextTokens,
}: {
  readonly sampler: EngineSampler;
  readonly contextTokens: number;
}): Sampler {
  return {
    weightsVersion: sampler.weightsHash,
    contextTokens,
    async sample({ prompt, count, sampling, stopIds, signal }) {
      const { topK, ...choice } = sampling;
      const request = { prompt: Int32Array.from(prompt), count, stopIds, ...choice, ...(topK > 0 && { topK }) };
      const sequences = await sampler.sample(request, signal);
      return sequences.map(({ ids, logprobs, stopReason }) => ({ ids: [...ids], logprobs: [...logprobs], stopReason }));
    },
  };
}
