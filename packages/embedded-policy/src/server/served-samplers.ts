import { createEngine, type Engine, type EngineSampler } from '../engine/create-engine.js';
import type { ModelConfig } from '../engine/model/model-config.js';
import { RefusedRequest } from './refused-request.js';

/** Frozen weights that clients sample from. */
export interface ServedSampler {
  readonly sampler: EngineSampler;
  /** An engine with the same weights, for log-probabilities of prompts. */
  scorer(): Promise<Engine>;
  dispose(): Promise<void>;
}

/** The samplers of a server, by the id of a sampling session or the path of a checkpoint. */
export interface ServedSamplers {
  /** Of the untrained weights; never makes way. */
  readonly base: ServedSampler;
  add(key: string, sampler: ServedSampler): void;
  find(key: string): ServedSampler | undefined;
  close(): Promise<void>;
}

/** At most `most` at a time beside the base: the one that was used longest ago makes way. */
export function createServedSamplers({ base, most }: { base: ServedSampler; most: number }): ServedSamplers {
  const samplers = new Map<string, ServedSampler>();
  const others = () => new Set([...samplers.values()].filter((sampler) => sampler !== base));
  const touch = (key: string, sampler: ServedSampler) => {
    samplers.delete(key);
    samplers.set(key, sampler);
  };
  return {
    base,
    add(key, sampler) {
      touch(key, sampler);
      while (others().size > most) {
        const [oldest] = others();
        for (const [other, one] of samplers) if (one === oldest) samplers.delete(other);
        void oldest?.dispose().catch(() => undefined);
      }
    },
    find(key) {
      const sampler = samplers.get(key);
      if (sampler !== undefined) touch(key, sampler);
      return sampler;
    },
    async close() {
      await Promise.all([base, ...others()].map((sampler) => sampler.dispose().catch(() => undefined)));
      samplers.clear();
    },
  };
}

/** A sampler of the weights that an engine has now. */
export async function snapshotOf({ engine, config }: { engine: Engine; config: ModelConfig }): Promise<ServedSampler> {
  const weights = await engine.readWeights();
  const sampler = await engine.createSampler();
  let scorer: Promise<Engine> | undefined;
  return {
    sampler,
    scorer() {
      scorer ??= createEngine({ config, weights, threads: 1 });
      return scorer;
    },
    async dispose() {
      await sampler.dispose();
      await (await scorer)?.close();
    },
  };
}

/** A sampler of a file's weights. @throws RefusedRequest 400 for weights of another model */
export async function samplerOfFile({ file, config }: { file: string; config: ModelConfig }): Promise<ServedSampler> {
  const engine = await createEngine({ config, weights: file, threads: 1 }).catch((error: Error) => {
    throw new RefusedRequest(400, `The checkpoint cannot be sampled: ${error.message}`);
  });
  const sampler = await engine.createSampler();
  return { sampler, scorer: async () => engine, dispose: () => engine.close() };
}
