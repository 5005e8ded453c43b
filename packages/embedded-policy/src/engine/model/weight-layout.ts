import type { ModelConfig } from './model-config.js';

/** Where one weight tensor lies in the flat array of all weights. */
export interface WeightSlot {
  readonly name: string;
  readonly shape: readonly number[];
  /** First element in the flat array. */
  readonly offset: number;
  readonly length: number;
  /** How the tensor starts: a normal of this deviation, or a constant. */
  readonly initial: { readonly deviation: number } | { readonly constant: number };
}

/** All weights in order, and their total length. Projections are stored [in, out]. */
export interface WeightLayout {
  readonly slots: readonly WeightSlot[];
  readonly length: number;
}

/**
 * Lays the weights of `config` out in one flat array. Matrices start at deviation 1/√(fan-in): copying a line emerged
 * in our trials at this scale and not at 0.02.
 */
export function weightLayout(config: ModelConfig): WeightLayout {
  const { vocabularySize, width, feedForward } = config;
  const slots: WeightSlot[] = [];
  let offset = 0;
  const place = (name: string, shape: readonly number[], initial: WeightSlot['initial']) => {
    const length = shape.reduce((product, size) => product * size, 1);
    slots.push({ name, shape, offset, length, initial });
    offset += length;
  };
  const matrix = (name: string, from: number, to: number) => place(name, [from, to], { deviation: 1 / Math.sqrt(from) });

  place('embedding', [vocabularySize, width], { deviation: 1 / Math.sqrt(width) });
  place('shift', [width], { constant: 0.3 });
  for (let layer = 0; layer < config.layers; layer++) {
    const name = (part: string) => `layers.${layer}.${part}`;
    place(name('attention.norm'), [width], { constant: 1 });
    place(name('attention.keyShift'), [width], { constant: 0.5 });
    matrix(name('attention.query'), width, width);
    matrix(name('attention.key'), width, width);
    matrix(name('attention.value'), width, width);
    matrix(name('attention.output'), width, width);
    place(name('feedForward.norm'), [width], { constant: 1 });
    matrix(name('feedForward.gate'), width, feedForward);
    matrix(name('feedForward.up'), width, feedForward);
    matrix(name('feedForward.down'), feedForward, width);
  }
  place('norm', [width], { constant: 1 });
  return { slots, length: offset };
}

/** The part of a flat array that holds one tensor: a view, no copy. */
export function slotView(flat: Float32Array, slot: WeightSlot): Float32Array {
  return flat.subarray(slot.offset, slot.offset + slot.length);
}
