import { RefusedRequest } from './refused-request.js';

/** A result in both forms of the wire. */
export interface FutureResult {
  readonly json: object;
  /** @default JSON alone */
  readonly protobuf?: () => Uint8Array;
  /** Numbers in it, by which its size is told. @default 0 */
  readonly numbers?: number;
}

type Settled = { readonly result: FutureResult } | { readonly refused: RefusedRequest } | { readonly failed: Error };

/** Results of requests, by id, for `retrieve_future`; can be read many times. */
export interface Futures {
  /** Takes work that has been begun, and returns its id. */
  add(work: Promise<FutureResult>): string;
  /**
   * What became of a request, or `undefined` when it takes longer than `pollMs` or the caller goes away. @throws RefusedRequest 404 for an id that
   * was never given, 410 for one whose result was dropped
   */
  wait(options: { requestId: string; pollMs: number; signal: AbortSignal }): Promise<Settled | undefined>;
}

/** Of a result, beside its numbers. */
const bytesOfResult = 1_024;
/** As JavaScript holds a number of a list. */
const bytesOfNumber = 8;

/**
 * Futures of which the oldest settled are dropped when there are more than `kept`, or when their results have more than `keptBytes`; the one
 * that settled last is never dropped.
 */
export function createFutures({ kept = 10_000, keptBytes = 2 ** 28 }: { kept?: number; keptBytes?: number } = {}): Futures {
  const known = new Map<string, Promise<Settled>>();
  /** By id, in the order in which they settled. */
  const settledBytes = new Map<string, number>();
  let given = 0;
  let bytes = 0;

  function settle(id: string, settled: Settled): void {
    const size = bytesOfResult + bytesOfNumber * ('result' in settled ? (settled.result.numbers ?? 0) : 0);
    settledBytes.set(id, size);
    bytes += size;
    for (const [oldest, held] of settledBytes) {
      if (oldest === id || (known.size <= kept && bytes <= keptBytes)) break;
      known.delete(oldest);
      settledBytes.delete(oldest);
      bytes -= held;
    }
  }

  return {
    add(work) {
      given += 1;
      const id = String(given);
      const settled = work.then(
        (result) => ({ result }),
        (error: unknown) =>
          error instanceof RefusedRequest ? { refused: error } : { failed: error instanceof Error ? error : new Error(String(error)) },
      );
      known.set(id, settled);
      void settled.then((outcome) => settle(id, outcome));
      return id;
    },
    async wait({ requestId, pollMs, signal }) {
      const future = known.get(requestId);
      if (future === undefined) {
        const wasGiven = /^[1-9]\d{0,15}$/.test(requestId) && Number(requestId) <= given;
        throw wasGiven
          ? new RefusedRequest(410, 'The result was dropped; send the request again.')
          : new RefusedRequest(404, 'Expected the request_id of a request of this server, got an unknown one.');
      }
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), pollMs);
        signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
      try {
        return await Promise.race([future, limit]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
