import { setMaxListeners } from 'node:events';

type Settled<Result> = { ok: true; value: Result } | { ok: false; error: unknown };

/**
 * Maps items with at most `inFlight` of them begun and not yet taken by the consumer, and yields results as they
 * come. Items are begun in order, and one that is slow to come keeps no result back. When one fails, or the consumer stops, or `signal` is aborted, the signal given to
 * `map` is aborted and every item that was begun is awaited before this generator ends.
 */
export async function* mapUnordered<Item, Result>(options: {
  /** Must not come to rest where the signal is aborted. */
  items: (signal: AbortSignal) => AsyncIterable<Item>;
  inFlight: number;
  signal?: AbortSignal;
  map: (item: Item, signal: AbortSignal) => Promise<Result>;
}): AsyncGenerator<Result, void> {
  const controller = new AbortController();
  // Every rollout in flight listens to it.
  setMaxListeners(0, controller.signal);
  const stop = () => controller.abort(options.signal?.reason);
  if (options.signal?.aborted) stop();
  else options.signal?.addEventListener('abort', stop, { once: true });
  const iterator = options.items(controller.signal)[Symbol.asyncIterator]();
  const begun = new Set<Promise<Settled<Result>>>();
  let coming: Promise<Settled<IteratorResult<Item>>> | undefined;
  let exhausted = false;
  try {
    for (;;) {
      if (!exhausted && begun.size < options.inFlight) coming ??= settle(iterator.next());
      if (coming === undefined && begun.size === 0) return;
      const first = await firstOf({ coming, begun });
      if ('next' in first) {
        coming = undefined;
        const next = resultOf(first.next);
        if (next.done === true) exhausted = true;
        else begun.add(settle(options.map(next.value, controller.signal)));
      } else {
        begun.delete(first.promise);
        yield resultOf(first.end);
      }
    }
  } finally {
    controller.abort();
    options.signal?.removeEventListener('abort', stop);
    await Promise.all(begun);
    await iterator.return?.();
  }
}

/** Settled form, so that a failure while nobody waits is no unhandled rejection. */
function settle<Value>(promise: Promise<Value>): Promise<Settled<Value>> {
  return promise.then(
    (value): Settled<Value> => ({ ok: true, value }),
    (error: unknown): Settled<Value> => ({ ok: false, error }),
  );
}

function resultOf<Value>(settled: Settled<Value>): Value {
  if (settled.ok) return settled.value;
  throw settled.error;
}

function firstOf<Next, Result>(options: { coming: Promise<Next> | undefined; begun: ReadonlySet<Promise<Result>> }) {
  const { coming, begun } = options;
  const ends = [...begun].map((promise) => promise.then((end) => ({ promise, end })));
  return Promise.race([...(coming === undefined ? [] : [coming.then((next) => ({ next }))]), ...ends]);
}
