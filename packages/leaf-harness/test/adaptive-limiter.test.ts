import { describe, expect, it } from 'vitest';
import { createAdaptiveLimiter, type RequestPermit } from '../src/index.js';
import { virtualClock } from './virtual-clock.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for places and lists the ones that were given. */
function queue(limiter: ReturnType<typeof createAdaptiveLimiter>) {
  const given: RequestPermit[] = [];
  return {
    given,
    ask: (count: number) => {
      for (let place = 0; place < count; place += 1) void limiter.acquire().then((permit) => given.push(permit));
      return settle();
    },
  };
}

describe('createAdaptiveLimiter', () => {
  it('lets as many requests through as its limit and the next one when a place is given back', async () => {
    const limiter = createAdaptiveLimiter({ initialLimit: 2, maxLimit: 2 });
    const { given, ask } = queue(limiter);
    await ask(4);
    expect([given.length, limiter.inFlight]).toEqual([2, 2]);
    given[0]?.release({ outcome: 'neither' });
    given[0]?.release({ outcome: 'neither' });
    await settle();
    expect([given.length, limiter.inFlight]).toEqual([3, 2]);
  });

  it('adds one place after a full window of answers', async () => {
    const limiter = createAdaptiveLimiter({ initialLimit: 4 });
    for (let answer = 0; answer < 5; answer += 1) {
      expect(limiter.limit).toBe(4);
      const permits = await Promise.all(Array.from({ length: 4 }, () => limiter.acquire()));
      permits[0]?.release({ outcome: 'answered' });
      for (const permit of permits.slice(1)) permit.release({ outcome: 'neither' });
    }
    // 4 + 1/4 + 1/4.25 + 1/4.48… passes 5 with the fifth answer.
    expect(limiter.limit).toBe(5);
  });

  it('does not raise a limit that nobody fills', async () => {
    const limiter = createAdaptiveLimiter({ initialLimit: 2 });
    for (let answer = 0; answer < 50; answer += 1) (await limiter.acquire()).release({ outcome: 'answered' });
    expect(limiter.limit).toBe(2);
  });

  it('halves the limit once for a burst of refusals and again for a refusal after it', async () => {
    const limiter = createAdaptiveLimiter({ initialLimit: 8 });
    const burst = await Promise.all(Array.from({ length: 8 }, () => limiter.acquire()));
    for (const permit of burst) permit.release({ outcome: 'overloaded' });
    expect(limiter.limit).toBe(4);
    (await limiter.acquire()).release({ outcome: 'overloaded' });
    expect(limiter.limit).toBe(2);
  });

  it('keeps to its least and its greatest limit', async () => {
    const limiter = createAdaptiveLimiter({ initialLimit: 2, minLimit: 2, maxLimit: 3 });
    (await limiter.acquire()).release({ outcome: 'overloaded' });
    expect(limiter.limit).toBe(2);
    for (let round = 0; round < 50; round += 1) {
      const permits = await Promise.all(Array.from({ length: limiter.limit }, () => limiter.acquire()));
      for (const permit of permits) permit.release({ outcome: 'answered' });
    }
    expect(limiter.limit).toBe(3);
  });

  it('settles near the capacity of an endpoint that refuses what is above it', async () => {
    const capacity = 10;
    const limiter = createAdaptiveLimiter({ initialLimit: 64, clock: virtualClock() });
    const limits: number[] = [];
    for (let round = 0; round < 200; round += 1) {
      const permits = await Promise.all(Array.from({ length: limiter.limit }, () => limiter.acquire()));
      for (const [place, permit] of permits.entries()) permit.release({ outcome: place < capacity ? 'answered' : 'overloaded' });
      limits.push(limiter.limit);
    }
    const settled = limits.slice(20);
    expect(Math.max(...settled)).toBeLessThanOrEqual(capacity + 1);
    expect(Math.min(...settled)).toBeGreaterThanOrEqual(Math.floor(capacity / 2));
  });

  it('admits nobody during a pause, and everybody for whom there is a place after it', async () => {
    const clock = virtualClock();
    const limiter = createAdaptiveLimiter({ initialLimit: 4, decreaseFactor: 0.75, clock });
    const { given, ask } = queue(limiter);
    await ask(1);
    given[0]?.release({ outcome: 'overloaded', pauseMs: 5000 });
    await ask(5);
    expect(given).toHaveLength(1);
    await clock.elapse(5000);
    await settle();
    expect(given).toHaveLength(4);
  });

  it('takes a request that gives up out of the queue', async () => {
    const limiter = createAdaptiveLimiter({ initialLimit: 1, maxLimit: 1 });
    const permit = await limiter.acquire();
    const controller = new AbortController();
    const waiting = limiter.acquire({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(limiter.acquire({ signal: controller.signal })).rejects.toThrow('enough');
    permit.release({ outcome: 'neither' });
    expect(limiter.inFlight).toBe(0);
  });

  it.each([{ initialLimit: 0 }, { initialLimit: 2, maxLimit: 1 }, { decreaseFactor: 1 }])('refuses %j', (options) => {
    expect(() => createAdaptiveLimiter(options)).toThrow(expect.objectContaining({ code: 'invalid-config' }));
  });
});
