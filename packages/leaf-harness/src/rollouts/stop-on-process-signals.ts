/** What `stopOnProcessSignals` uses of a process. */
export interface SignalSource {
  /** Begins to call `listener`. */
  on(event: NodeJS.Signals, listener: () => void): unknown;
  /** Ceases to call it. */
  off(event: NodeJS.Signals, listener: () => void): unknown;
}

/**
 * For programs: an abort signal that the first SIGINT or SIGTERM aborts, so that `rollOut` disposes its sandboxes and
 * throws `aborted`. A second one meets the process as if nobody listened, and ends it at once.
 */
export function stopOnProcessSignals(options: {
  /** For instance `process`. */
  process: SignalSource;
}): {
  readonly signal: AbortSignal;
  /** Stops listening. */
  close(): void;
} {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const listeners = names.map((name) => {
    const listener = () => {
      close();
      controller.abort(new Error(`received ${name}`));
    };
    options.process.on(name, listener);
    return { name, listener };
  });
  function close(): void {
    for (const { name, listener } of listeners) options.process.off(name, listener);
  }
  return { signal: controller.signal, close };
}
