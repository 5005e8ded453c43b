import type { GraphBuilder, GraphValue, NodeOptions } from './graph-builder.js';

/**
 * Emits operators and remembers how to differentiate them: reverse mode, where running backwards emits further nodes
 * into the same graph.
 */
export interface GradientTape {
  readonly graph: GraphBuilder;
  /** Emits a node with one result. */
  emit(operator: string, inputs: readonly GraphValue[], options?: NodeOptions): GraphValue;
  /**
   * Registers the reverse rule of `result`. `rule` receives ∂loss/∂result and calls `accumulate` for each input; it is
   * skipped when nothing depends on `result`.
   */
  differentiable(result: GraphValue, rule: (gradient: GraphValue) => void): GraphValue;
  /** Adds a contribution to ∂loss/∂value. */
  accumulate(value: GraphValue, gradient: GraphValue): void;
  /** Runs every rule in reverse from the seeds and returns the reader of gradients. */
  backward(seeds: ReadonlyMap<GraphValue, GraphValue>): (value: GraphValue) => GraphValue;
}

/** Creates a tape that emits into `graph`. Without a call of `backward` the graph is forward only. */
export function createGradientTape(graph: GraphBuilder): GradientTape {
  const rules: { result: GraphValue; rule: (gradient: GraphValue) => void }[] = [];
  const gradients = new Map<string, GraphValue>();

  const emit: GradientTape['emit'] = (operator, inputs, options) => graph.node(operator, inputs, options)[0]!;
  const accumulate: GradientTape['accumulate'] = (value, gradient) => {
    const known = gradients.get(value.name);
    gradients.set(value.name, known === undefined ? gradient : emit('Add', [known, gradient]));
  };

  return {
    graph,
    emit,
    accumulate,
    differentiable(result, rule) {
      rules.push({ result, rule });
      return result;
    },
    backward(seeds) {
      for (const [value, gradient] of seeds) accumulate(value, gradient);
      for (const { result, rule } of rules.reverse()) {
        const gradient = gradients.get(result.name);
        if (gradient !== undefined) rule(gradient);
      }
      return (value) => {
        const gradient = gradients.get(value.name);
        if (gradient === undefined) throw new Error(`nothing depends on '${value.name}', so it has no gradient`);
        return gradient;
      };
    },
  };
}
