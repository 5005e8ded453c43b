import type { GraphSession, OnnxRuntime } from '../load-runtime.js';
import { decodeGraph } from '../model/decode-graph.js';
import type { ModelConfig } from '../model/model-config.js';

/** Sessions that are kept although nothing samples from them. */
const IDLE_SESSIONS = 4;

/** Decode sessions by the weights that they are loaded with; the array itself is the key and must not change. */
export interface DecodeSessions {
  /** The session of these weights, kept or loaded anew (10 ms a million weights). Valid until {@link DecodeSessions.rest}. */
  open(weights: Float32Array): Promise<GraphSession>;
  /** Nothing samples from these weights for now: their session makes way when others rest. */
  rest(weights: Float32Array): void;
  /** Nothing samples from these weights again, or not soon: frees their session. */
  close(weights: Float32Array): void;
}

/** Creates sessions of one thread each, so that a row's bits do not depend on how threads share the rows. */
export function createDecodeSessions(runtime: OnnxRuntime, config: ModelConfig): DecodeSessions {
  const sessions = new Map<Float32Array, Promise<GraphSession>>();
  const idle = new Set<Float32Array>();
  let graph: Uint8Array | undefined;

  function close(weights: Float32Array): void {
    const session = sessions.get(weights);
    sessions.delete(weights);
    idle.delete(weights);
    // A session that failed to load was reported to whoever opened it.
    session?.then((loaded) => loaded.release()).catch(() => {});
  }

  return {
    open(weights) {
      idle.delete(weights);
      let session = sessions.get(weights);
      if (session === undefined) {
        graph ??= decodeGraph(config);
        session = runtime.createSession(graph, { threads: 1, data: weights });
        sessions.set(weights, session);
      }
      return session;
    },
    rest(weights) {
      if (sessions.has(weights)) idle.add(weights);
      for (const oldest of idle) {
        if (idle.size <= IDLE_SESSIONS) break;
        close(oldest);
      }
    },
    close,
  };
}
