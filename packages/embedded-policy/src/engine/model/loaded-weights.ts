import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';
import { INNER_PART } from '../operators/parted-linear.js';
import type { ModelConfig } from './model-config.js';
import { type WeightSlot, weightLayout } from './weight-layout.js';

/** Weights as constants of a graph that is loaded with the flat array of all weights. */
export interface LoadedWeights {
  /** The embedding [V, width]. */
  readonly table: GraphValue;
  /** A norm's gain or a shift's mix. */
  vector(name: string): GraphValue;
  /** The rows of a projection [in, out] in parts for `partedLinear`. */
  matrix(name: string): readonly GraphValue[];
}

/** Reads weights by their names in the layout; each name once, since the constant takes it. */
export function loadedWeights(tape: GradientTape, config: ModelConfig): LoadedWeights {
  const slots = new Map(weightLayout(config).slots.map((slot) => [slot.name, slot]));
  const slotOf = (name: string): WeightSlot => {
    const slot = slots.get(name);
    if (slot === undefined) throw new Error(`the layout has no weight '${name}'`);
    return slot;
  };
  const whole = (name: string) => tape.graph.loaded(name, slotOf(name).shape, slotOf(name).offset);
  return {
    table: whole('embedding'),
    vector: whole,
    matrix(name) {
      const { shape, offset } = slotOf(name);
      const [rows, columns] = shape as [number, number];
      return Array.from({ length: Math.ceil(rows / INNER_PART) }, (_, part) => {
        const first = part * INNER_PART;
        return tape.graph.loaded(`${name}.${part}`, [Math.min(INNER_PART, rows - first), columns], offset + first * columns);
      });
    },
  };
}
