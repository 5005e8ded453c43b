import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestOrder } from '../../src/server/request-order.js';

const patient = { gapMs: 60_000 };
const fail = () => {
  throw new Error('gave up');
};

describe("the order of a model's requests", () => {
  it('is that of their numbers, in whatever order they arrive and whichever of them are refused', () => {
    const arrivals = fc.integer({ min: 1, max: 12 }).chain((count) => {
      const numbers = Array.from({ length: count }, (_, index) => index + 1);
      return fc.tuple(fc.shuffledSubarray(numbers, { minLength: count }), fc.subarray(numbers));
    });
    fc.assert(
      fc.property(arrivals, ([arriving, refused]) => {
        const order = createRequestOrder(patient);
        const begun: number[] = [];
        for (const seqId of arriving) {
          if (refused.includes(seqId)) order.passOver(seqId);
          else order.take({ seqId, begin: () => begun.push(seqId), miss: fail });
        }
        expect(begun).toEqual([...arriving].sort((one, other) => one - other).filter((seqId) => !refused.includes(seqId)));
      }),
    );
  });

  it('gives up what waits for a number that does not come, names it, and takes the same numbers again', async () => {
    const order = createRequestOrder({ gapMs: 5 });
    const begun: number[] = [];
    const take = (seqId: number, miss: (missing: number) => void = fail) => order.take({ seqId, begin: () => begun.push(seqId), miss });
    take(1);
    expect(order.fillsGap(2)).toBe(false);
    const missing = await Promise.all([3, 5].map((seqId) => new Promise((resolve) => take(seqId, resolve))));
    expect([missing, begun]).toEqual([[2, 2], [1]]);
    take(3, () => {});
    expect(order.fillsGap(2)).toBe(true);
    take(2);
    expect(begun).toEqual([1, 2, 3]);
  });

  it('begins a number that is behind the others at once, and gives up when it is closed', () => {
    const order = createRequestOrder(patient);
    const begun: number[] = [];
    order.passOver(1);
    order.take({ seqId: 1, begin: () => begun.push(1), miss: fail });
    const missed: number[] = [];
    order.take({ seqId: 7, begin: fail, miss: (missing) => missed.push(missing) });
    order.close();
    expect([begun, missed]).toEqual([[1], [2]]);
  });
});
