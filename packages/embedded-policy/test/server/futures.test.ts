import { describe, expect, it } from 'vitest';
import { createBudget } from '../../src/server/budget.js';
import { createFutures, type Futures } from '../../src/server/futures.js';

const statusOf = (futures: Futures, requestId: string) =>
  futures.wait({ requestId, pollMs: 1_000, signal: new AbortController().signal }).then(
    (settled) => (settled !== undefined && 'result' in settled ? 'result' : 'failure'),
    (error: { status: number }) => error.status,
  );
async function settled(futures: Futures, numbers: number): Promise<string> {
  const id = futures.add(Promise.resolve({ json: {}, numbers }));
  await statusOf(futures, id);
  return id;
}

describe('results that are kept', () => {
  it('are so many at most: the one that settled first is dropped first, and one that is not done is never dropped', async () => {
    const futures = createFutures({ kept: 3 });
    let finish = (_: { json: object }) => {};
    const open = futures.add(
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    const ids = [await settled(futures, 0), await settled(futures, 0), await settled(futures, 0)];
    expect(await Promise.all(ids.map((id) => statusOf(futures, id)))).toEqual([410, 'result', 'result']);
    finish({ json: {} });
    expect(await statusOf(futures, open)).toBe('result');
    expect(await statusOf(futures, '99')).toBe(404);
  });

  it('are so large at most together, but the last one is kept however large it is', async () => {
    const futures = createFutures({ keptBytes: 95_000 });
    const ids = [await settled(futures, 10_000), await settled(futures, 1_000), await settled(futures, 1_000)];
    expect(await Promise.all(ids.map((id) => statusOf(futures, id)))).toEqual([410, 'result', 'result']);
    const large = await settled(futures, 1_000_000);
    expect(await Promise.all([...ids, large].map((id) => statusOf(futures, id)))).toEqual([410, 410, 410, 'result']);
  });
});

describe('a budget', () => {
  it('refuses what is too many or too large with 429 and says when to come again, but takes one part of any size', () => {
    const budget = createBudget({ what: 'requests', most: { count: 2, bytes: 100 } });
    const busy = expect.objectContaining({ status: 429, retryAfterSeconds: 1 });
    const release = budget.take(1_000);
    expect(() => budget.take(1)).toThrow(busy);
    release();
    release();
    const others = [budget.take(40), budget.take(40)];
    expect(() => budget.take(1)).toThrow(busy);
    others[0]?.();
    expect(() => budget.take(61)).toThrow(busy);
    budget.take(60);
  });
});
