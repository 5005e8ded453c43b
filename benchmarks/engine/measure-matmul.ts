import { loadRuntime } from '../../packages/embedded-policy/src/engine/load-runtime.js';
import { createGraphBuilder } from '../../packages/embedded-policy/src/engine/onnx/graph-builder.js';

/** Rate of a float32 matrix product [rows, inner] [inner, columns] in ONNX Runtime, best of three, in GFLOP/s. */
export async function measureMatmul(options: { rows: number; inner: number; columns: number; threads: number }): Promise<number> {
  const { rows, inner, columns, threads } = options;
  const graph = createGraphBuilder('product');
  const [product] = graph.node('MatMul', [graph.input('left', 'float32', 2), graph.input('right', 'float32', 2)]);
  graph.output('product', product!);
  const runtime = await loadRuntime();
  const session = await runtime.createSession(graph.encode(), { threads });
  const feeds = {
    left: new runtime.Tensor('float32', new Float32Array(rows * inner).fill(0.5), [rows, inner]),
    right: new runtime.Tensor('float32', new Float32Array(inner * columns).fill(0.5), [inner, columns]),
  };
  const repeats = Math.max(1, Math.round(4e9 / (2 * rows * inner * columns)));
  const rates: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const started = performance.now();
    for (let repeat = 0; repeat < repeats; repeat += 1) await session.run(feeds);
    rates.push((2e-6 * repeats * rows * inner * columns) / (performance.now() - started));
  }
  return Math.max(...rates.slice(1));
}
