import { TadpoleError } from '@tadpole/contracts';
import type * as Runtime from 'onnxruntime-node';
import { LOADED_DATA } from './onnx/graph-builder.js';

/** A loaded graph. */
export interface GraphSession {
  /** Runs the graph; blocks the thread while it computes. */
  run(feeds: Readonly<Record<string, Runtime.Tensor>>): Promise<Readonly<Record<string, Runtime.Tensor>>>;
  /** Frees its memory; it runs no more. */
  release(): Promise<void>;
}

/** Options of {@link OnnxRuntime.createSession}. */
export interface SessionOptions {
  /** Threads of one operator. */
  readonly threads: number;
  /** The array that the graph's loaded constants are parts of. Must not change while the session lives. */
  readonly data?: Float32Array;
}

/** The part of ONNX Runtime that the engine uses. */
export interface OnnxRuntime {
  readonly Tensor: typeof Runtime.Tensor;
  /** Loads an encoded graph. */
  createSession(graph: Uint8Array, options: SessionOptions): Promise<GraphSession>;
}

/** Loads ONNX Runtime, an optional peer. Throws `missing-dependency`, with the command that installs it. */
export async function loadRuntime(): Promise<OnnxRuntime> {
  const { InferenceSession, Tensor } = await importRuntime();
  return {
    Tensor,
    async createSession(graph, { threads, data }) {
      const options: Runtime.InferenceSession.SessionOptions = {
        executionProviders: ['cpu'],
        graphOptimizationLevel: 'all',
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        logSeverityLevel: 4,
        ...(data !== undefined && { externalData: [{ path: LOADED_DATA, data: bytesOf(data) }] }),
        // Spinning threads take the processor from the sandboxes that run beside the engine.
        extra: { session: { intra_op: { allow_spinning: '0' } } },
      };
      return InferenceSession.create(graph, options);
    },
  };
}

function bytesOf(data: Float32Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
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
