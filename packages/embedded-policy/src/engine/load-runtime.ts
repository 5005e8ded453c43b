import { TadpoleError } from '@tadpole/contracts';
import type * as Runtime from 'onnxruntime-node';

/** The ONNX Runtime module. */
export type OnnxRuntime = typeof Runtime;

/** Loads ONNX Runtime, an optional peer. Throws `missing-dependency`, with the command that installs it. */
export async function loadRuntime(): Promise<OnnxRuntime> {
  try {
    return await import('onnxruntime-node');
  } catch (cause) {
    throw new TadpoleError({
      code: 'missing-dependency',
      message:
        "the embedded engine needs the package 'onnxruntime-node', which did not load; install it with: ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node",
      cause,
    });
  }
}

/** Loads an encoded graph. `threads` is the number of threads of one operator. */
export function createSession(runtime: OnnxRuntime, graph: Uint8Array, threads: number): Promise<Runtime.InferenceSession> {
  return runtime.InferenceSession.create(graph, {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 4,
    // Spinning threads take the processor from the sandboxes that run beside the engine.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
}
