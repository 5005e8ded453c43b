import type { GradientTape } from '../onnx/gradient-tape.js';
import type { GraphValue } from '../onnx/graph-builder.js';

/** Log-softmax of logits [R, V]. */
export function logSoftmax(tape: GradientTape, logits: GraphValue): GraphValue {
  return tape.emit('LogSoftmax', [logits], { attributes: { axis: { int: -1 } } });
}

/**
 * Log-probability [R, 1] of each row's target (int32 [R, 1]) under softmax(logits), given `logprobs` = log-softmax of
 * `logits`, both [R, V]. ∂logits = g (onehot(target) − p), with g [R, 1].
 */
export function targetLogprobs(tape: GradientTape, logits: GraphValue, logprobs: GraphValue, targets: GraphValue): GraphValue {
  const chosen = tape.emit('GatherElements', [logprobs, targets], { attributes: { axis: { int: 1 } } });
  return tape.differentiable(chosen, (gradient) => {
    const pulled = tape.emit('Mul', [tape.emit('Exp', [logprobs]), tape.emit('Neg', [gradient])]);
    tape.accumulate(
      logits,
      tape.emit('ScatterElements', [pulled, targets, gradient], { attributes: { axis: { int: 1 }, reduction: 'add' } }),
    );
  });
}
