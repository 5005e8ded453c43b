import { describe, expect, it } from 'vitest';
import { openDeadline } from '../src/loop/deadline.js';

const forever = () => new Promise<never>(() => undefined);

describe('openDeadline', () => {
  it('does not begin work after the end', async () => {
    const deadline = openDeadline({ timeoutMs: 10_000, signal: AbortSignal.abort() });
    let begun = false;
    await expect(deadline.race(async () => (begun = true))).rejects.toMatchObject({ code: 'aborted' });
    expect(begun).toBe(false);
    deadline.close();
  });

  it('lets work that hears the signal end by itself', async () => {
    const controller = new AbortController();
    const deadline = openDeadline({ timeoutMs: 10_000, signal: controller.signal });
    const work = deadline.race(
      () => new Promise((resolve) => deadline.signal.addEventListener('abort', () => setImmediate(resolve, 'cleaned up'))),
    );
    controller.abort();
    expect(await work).toBe('cleaned up');
    expect(deadline.hasExpired()).toBe(false);
    deadline.close();
  });

  it('abandons work that ignores the signal', async () => {
    const deadline = openDeadline({ timeoutMs: 5, graceMs: 5 });
    await expect(deadline.race(forever)).rejects.toMatchObject({ code: 'aborted' });
    expect(deadline.hasExpired()).toBe(true);
    deadline.close();
  });
});
