import type { Tensor } from 'onnxruntime-node';
import type { OnnxRuntime } from '../load-runtime.js';
import { causalMasks } from '../operators/causal-attention.js';
import type { ModelConfig } from './model-config.js';
import { ATTENTION_BLOCKS } from './transformer.js';

/** Gives the feeds that a padded batch of B sequences of T tokens needs besides its tokens. */
export type SequenceFeeds = (sequences: number, length: number) => Record<string, Tensor>;

/** Creates the source of shape and mask feeds; masks are made once for each padded length. */
export function createSequenceFeeds(runtime: OnnxRuntime, config: ModelConfig): SequenceFeeds {
  const masksByLength = new Map<number, Record<string, Tensor>>();
  return (sequences, length) => {
    let masks = masksByLength.get(length);
    if (masks === undefined) {
      const tensors = causalMasks(length, ATTENTION_BLOCKS).map(({ data, dimensions }) => new runtime.Tensor('float32', data, dimensions));
      masks = Object.fromEntries(tensors.map((tensor, block) => [`mask.${block}`, tensor]));
      masksByLength.set(length, masks);
    }
    const shape = BigInt64Array.of(BigInt(sequences), BigInt(length), BigInt(config.width));
    return { ...masks, sequenceShape: new runtime.Tensor('int64', shape, [3]) };
  };
}
