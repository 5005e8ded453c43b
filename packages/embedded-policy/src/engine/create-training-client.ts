import { join } from 'node:path';
import type { Sampler, TrainingClient } from '@tadpole/contracts';
import type { Engine, EngineSampler } from './create-engine.js';
import { weightLayout } from './model/weight-layout.js';

/** Name of the state file in the folder that `saveState` is given. */
const STATE_FILE = 'state.safetensors';

/**
 * Presents an engine as the `TrainingClient` of the training loop. The engine stays the caller's: it is closed by whom
 * it was created. Sampler versions are hashes of the weights, so they keep their meaning when a run is resumed. A
 * sampler's snapshot is freed when the sampler is garbage. `forwardBackward` computes only positions whose gradient is
 * not zero and reports NaN for the others.
 */
export function createTrainingClient({ engine }: { readonly engine: Engine }): TrainingClient {
  const { contextTokens, vocabularySize } = engine.config;
  // A closed engine has freed its snapshots already.
  const garbage = new FinalizationRegistry<EngineSampler>((snapshot) => void snapshot.dispose().catch(() => {}));
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
    async createSampler() {
      const snapshot = await engine.createSampler();
      const sampler = createTokenSampler({ sampler: snapshot, contextTokens });
      garbage.register(sampler, snapshot);
      return sampler;
    },
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
  const inUse = new Set<Sampler>();
  const tokenSampler: Sampler = {
    weightsVersion: sampler.weightsHash,
    contextTokens,
    async sample({ prompt, count, sampling, stopIds, signal }) {
      const { topK, ...choice } = sampling;
      const request = { prompt: Int32Array.from(prompt), count, stopIds, ...choice, ...(topK > 0 && { topK }) };
      // Holds the sampler while it works, also when the caller let go of it.
      inUse.add(tokenSampler);
      try {
        const sequences = await sampler.sample(request, signal);
        return sequences.map(({ ids, logprobs, stopReason }) => ({ ids: [...ids], logprobs: [...logprobs], stopReason }));
      } finally {
        inUse.delete(tokenSampler);
      }
    },
  };
  return tokenSampler;
}
