import type { Tensor } from 'onnxruntime-node';
import type { OnnxRuntime } from '../load-runtime.js';
import type { ModelConfig } from './model-config.js';
import { slotView, weightLayout } from './weight-layout.js';

/** Feeds of all weights: views of the flat array, so that a change of the weights needs no new feeds. */
export function weightFeeds(runtime: OnnxRuntime, config: ModelConfig, weights: Float32Array): Record<string, Tensor> {
  return Object.fromEntries(
    weightLayout(config).slots.map((slot) => [slot.name, new runtime.Tensor('float32', slotView(weights, slot), slot.shape)]),
  );
}
