import { TadpoleError } from '@tadpole/contracts';

/**
 * What foreign work gives, awaited no longer than until the signal; work that ignores its caller's wish to stop is left alone.
 * @throws TadpoleError `aborted` by the signal; and what the work throws.
 */
export async function unlessAborted<Value>(options: {
  work: () => Value | Promise<Value>;
  /** Named in the message. */
  name: string;
  signal: AbortSignal | undefined;
}): Promise<Value> {
  const { work, name, signal } = options;
  if (signal === undefined) return work();
  const aborted = () =>
    new TadpoleError({ code: 'aborted', message: `${name} was not awaited: its signal is aborted`, cause: signal.reason });
  if (signal.aborted) throw aborted();
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(aborted());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
