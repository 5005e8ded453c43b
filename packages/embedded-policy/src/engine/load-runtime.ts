import { TadpoleError } from '@tadpole/contracts';
import type * as Runtime from 'onnxruntime-node';

/** A loaded graph. */
export interface GraphSession {
  /** Runs the graph; blocks the thread while it computes. */
  run(feeds: Readonly<Record<string, Runtime.Tensor>>): Promise<Readonly<Record<string, Runtime.Tensor>>>;
}

/** The part of ONNX Runtime that the engine uses. */
export interface OnnxRuntime {
  readonly Tensor: typeof Runtime.Tensor;
  /** Loads an encoded graph. `threads` is the number of threads of one operator. */
  createSession(graph: Uint8Array, threads: number): Promise<GraphSession>;
}

/** Loads ONNX Runtime, an optional peer. Throws `missing-dependency`, with the command that installs it. */
export async function loadRuntime(): Promise<OnnxRuntime> {
  const { InferenceSession, Tensor } = await importRuntime();
  return {
    Tensor,
    async createSession(graph, threads) {
      const options: Runtime.InferenceSession.SessionOptions = {
        executionProviders: ['cpu'],
        graphOptimizationLevel: 'all',
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        logSeverityLevel: 4,
        // Spinning threads take the processor from the sandboxes that run beside the engine.
        extra: { session: { intra_op: { allow_spinning: '0' } } },
      };
      return InferenceSession.create(graph, options);
    },
  };
}

async function importRuntime(): Promise<typeof Runtime> {
  try {
    return await import('onnxruntime-node');
  } catch (cause) {
    const install = 'ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node';
    const message = `the embedded engine needs the package 'onnxruntime-node', which did not load; install it with: ${install}`;
    throw new TadpoleError({ code: 'missing-dependency', message, cause });
  }
}
