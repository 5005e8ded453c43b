import type { Tensor } from 'onnxruntime-node';
import type { GraphSession, OnnxRuntime } from '../load-runtime.js';
import type { ModelConfig } from '../model/model-config.js';
import type { SequenceFeeds } from '../model/sequence-feeds.js';
import { type MicroBatch, planMicroBatches } from '../training/micro-batches.js';
import type { PromptPrefix } from './key-value-cache.js';

/** Most padded tokens of one prefill pass. */
const PREFILL_TOKENS = 2048;

/** What {@link prefillPrompts} runs on. */
export interface PrefillOptions {
  readonly runtime: OnnxRuntime;
  readonly config: ModelConfig;
  readonly session: GraphSession;
  /** Feeds of the weights. */
  readonly weights: Readonly<Record<string, Tensor>>;
  readonly sequenceFeeds: SequenceFeeds;
}

/**
 * Computes the prefixes of several token lists (at least one token each). Lists of equal padded length share a pass; a
 * prefix does not depend on what it shares the pass with.
 */
export async function prefillPrompts(prompts: readonly Int32Array[], options: PrefillOptions): Promise<PromptPrefix[]> {
  const prefixes: PromptPrefix[] = [];
  for (const batch of planMicroBatches(
    prompts.map((prompt) => prompt.length),
    PREFILL_TOKENS,
  )) {
    const computed = await prefillBatch(prompts, batch, options);
    batch.indices.forEach((index, place) => {
      prefixes[index] = computed[place]!;
    });
  }
  return prefixes;
}

async function prefillBatch(
  prompts: readonly Int32Array[],
  { indices, length }: MicroBatch,
  { runtime, config, session, weights, sequenceFeeds }: PrefillOptions,
): Promise<PromptPrefix[]> {
  const tokens = new Int32Array(indices.length * length);
  const lastRows = new Int32Array(indices.length);
  indices.forEach((index, place) => {
    tokens.set(prompts[index]!, place * length);
    lastRows[place] = place * length + prompts[index]!.length - 1;
  });
  const outputs = await session.run({
    ...weights,
    tokens: new runtime.Tensor('int32', tokens, [tokens.length]),
    ...sequenceFeeds(indices.length, length),
    lastRows: new runtime.Tensor('int32', lastRows, [lastRows.length]),
  });
  const part = (name: string, place: number, size: number) => (outputs[name]!.data as Float32Array).slice(place * size, (place + 1) * size);
  return indices.map((index, place) => ({
    length: prompts[index]!.length,
    paddedLength: length,
    layers: Array.from({ length: config.layers }, (_, layer) => ({
      key: part(`key.${layer}`, place, length * config.width),
      value: part(`value.${layer}`, place, length * config.width),
      hidden: part(`hidden.${layer}`, place, config.width),
    })),
  }));
}
