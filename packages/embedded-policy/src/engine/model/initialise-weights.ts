import { createRandom, nextNormal } from '../random.js';
import type { ModelConfig } from './model-config.js';
import { weightLayout } from './weight-layout.js';

/** Fresh weights for `config`, flat, in the order of the layout; equal seeds give equal weights. */
export function initialiseWeights(config: ModelConfig, seed: number): Float32Array {
  const layout = weightLayout(config);
  const random = createRandom(seed);
  const weights = new Float32Array(layout.length);
  for (const { offset, length, initial } of layout.slots) {
    for (let index = offset; index < offset + length; index++) {
      weights[index] = 'constant' in initial ? initial.constant : initial.deviation * nextNormal(random);
    }
  }
  return weights;
}
