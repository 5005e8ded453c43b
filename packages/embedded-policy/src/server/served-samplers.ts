import { createEngine, type Engine, type EngineSampler } from '../engine/create-engine.js';
import type { ModelConfig } from '../engine/model/model-config.js';
import { RefusedRequest } from './refused-request.js';

/** Frozen weights that clients sample from. */
export interface ServedSampler {
  readonly sampler: EngineSampler;
  /** The model whose engine it lives in. @default an engine of its own */
  readonly modelId?: string;
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
  /** The one of a key, or what `open` gives; those who ask at the same time get the same. */
  findOrOpen(key: string, open: () => Promise<ServedSampler>): Promise<ServedSampler>;
  /** Forgets those that live in a model's engine, before that is closed: checkpoints among them are opened from their files. */
  dropOf(modelId: string): Promise<void>;
  close(): Promise<void>;
}

/** At most `most` at a time beside the base: the one that was used longest ago makes way. */
export function createServedSamplers({ base, most }: { base: ServedSampler; most: number }): ServedSamplers {
  const samplers = new Map<string, ServedSampler>();
  const opening = new Map<string, Promise<ServedSampler>>();
  const others = () => new Set([...samplers.values()].filter((sampler) => sampler !== base));
  const touch = (key: string, sampler: ServedSampler) => {
    samplers.delete(key);
    samplers.set(key, sampler);
  };
  const add = (key: string, sampler: ServedSampler) => {
    const former = samplers.get(key);
    touch(key, sampler);
    if (former !== undefined && former !== base && !others().has(former)) void former.dispose().catch(() => undefined);
    while (others().size > most) {
      const [oldest] = others();
      for (const [other, one] of samplers) if (one === oldest) samplers.delete(other);
      void oldest?.dispose().catch(() => undefined);
    }
  };
  const find = (key: string) => {
    const sampler = samplers.get(key);
    if (sampler !== undefined) touch(key, sampler);
    return sampler;
  };
  return {
    ...{ base, add, find },
    async findOrOpen(key, open) {
      const known = find(key) ?? opening.get(key);
      if (known !== undefined) return known;
      const opened = open()
        .then((sampler) => {
          add(key, sampler);
          return sampler;
        })
        .finally(() => opening.delete(key));
      opening.set(key, opened);
      return opened;
    },
    async dropOf(modelId) {
      const own = [...others()].filter((sampler) => sampler.modelId === modelId);
      for (const [key, sampler] of samplers) if (own.includes(sampler)) samplers.delete(key);
      await Promise.all(own.map((sampler) => sampler.dispose().catch(() => undefined)));
    },
    async close() {
      await Promise.allSettled(opening.values());
      await Promise.all([base, ...others()].map((sampler) => sampler.dispose().catch(() => undefined)));
      samplers.clear();
    },
  };
}

/** A sampler of the weights that an engine has now. */
export async function snapshotOf(options: { engine: Engine; config: ModelConfig; modelId?: string }): Promise<ServedSampler> {
  const { engine, config, modelId } = options;
  const weights = await engine.readWeights();
  const sampler = await engine.createSampler();
  let scorer: Promise<Engine> | undefined;
  return {
    sampler,
    ...(modelId !== undefined && { modelId }),
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
