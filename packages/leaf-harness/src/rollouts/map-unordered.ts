import { setMaxListeners } from 'node:events';

type Settled<Result> = { ok: true; value: Result } | { ok: false; error: unknown };

/**
 * Maps items with at most `inFlight` of them begun and not yet taken by the consumer, and yields results as they
 * come. Items are begun in order. When one fails, or the consumer stops, or `signal` is aborted, the signal given to
 * `map` is aborted and every item that was begun is awaited before this generator ends.
 */
export async function* mapUnordered<Item, Result>(options: {
  items: AsyncIterable<Item>;
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
  const iterator = options.items[Symbol.asyncIterator]();
  const begun = new Set<Promise<Settled<Result>>>();
  let exhausted = false;
  try {
    for (;;) {
      while (!exhausted && begun.size < options.inFlight) {
        const next = await iterator.next();
        if (next.done === true) exhausted = true;
        else begin(next.value);
      }
      if (begun.size === 0) return;
      const { promise, settled } = await Promise.race([...begun].map((promise) => promise.then((settled) => ({ promise, settled }))));
      begun.delete(promise);
      if (!settled.ok) throw settled.error;
      yield settled.value;
    }
  } finally {
    controller.abort();
    options.signal?.removeEventListener('abort', stop);
    await Promise.all(begun);
    await iterator.return?.();
  }

  /** Settled form, so that a failure while nobody waits is no unhandled rejection. */
  function begin(item: Item): void {
    begun.add(
      options.map(item, controller.signal).then(
        (value): Settled<Result> => ({ ok: true, value }),
        (error: unknown): Settled<Result> => ({ ok: false, error }),
      ),
    );
  }
}
