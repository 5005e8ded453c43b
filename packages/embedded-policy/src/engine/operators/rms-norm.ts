import { integers } from '../onnx/constants.js';
import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/** Added to the mean square before the root. */
const RMS_NORM_EPSILON = 1e-5;

/**
 * y = g · x / rms(x) over the last axis, for x [N, d], g [d] (Zhang and Sennrich 2019, arXiv:1910.07467).
 * With r = 1/rms(x), x̂ = r x and u = g ∂y: ∂x = r (u − x̂ · mean(u x̂)), ∂g = Σ_N ∂y x̂.
 */
export function rmsNorm(tape: GradientTape, x: GraphValue, gain: GraphValue): GraphValue {
  const [y, inverseRms] = tape.graph.node('SimplifiedLayerNormalization', [x, gain], {
    results: 2,
    attributes: { axis: { int: -1 }, epsilon: { float: RMS_NORM_EPSILON }, stash_type: { int: 1 } },
  }) as [GraphValue, GraphValue];
  return tape.differentiable(y, (gradient) => {
    const normalised = tape.emit('Mul', [x, inverseRms]);
    tape.accumulate(
      gain,
      tape.emit('ReduceSum', [tape.emit('Mul', [gradient, normalised]), integers(tape.graph, [0])], {
        attributes: { keepdims: { int: 0 } },
      }),
    );
    const scaled = tape.emit('Mul', [gradient, gain]);
    const mean = tape.emit('ReduceMean', [tape.emit('Mul', [scaled, normalised]), integers(tape.graph, [1])], {
      attributes: { keepdims: { int: 1 } },
    });
    const centred = tape.emit('Sub', [scaled, tape.emit('Mul', [normalised, mean])]);
    tape.accumulate(x, tape.emit('Mul', [centred, inverseRms]));
  });
}
