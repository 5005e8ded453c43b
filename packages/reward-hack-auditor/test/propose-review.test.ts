import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateRecall, proposeReview } from '../src/index.js';

const many = (stratum: string, count: number) => Array.from({ length: count }, (_, index) => ({ id: `${stratum} ${index}`, stratum }));
const fixed = () => 0;

describe('proposing unflagged trajectories for review', () => {
  it('gives every stratum the same number, and a small one all it has', () => {
    const drawn = proposeReview({
      unflagged: [...many('passed', 100), ...many('failed', 900), ...many('rare', 2)],
      count: 20,
      random: fixed,
    });
    const of = (stratum: string) => drawn.filter((one) => one.stratum === stratum);
    expect([of('passed').length, of('failed').length, of('rare').length]).toEqual([9, 9, 2]);
    expect(of('passed')[0]?.probability).toBe(0.09);
    expect(of('failed')[0]?.probability).toBe(0.01);
    expect(of('rare')[0]?.probability).toBe(1);
  });

  it('draws each at most once, never more than there are, and stands for all of them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
        (sizes, count, stream) => {
          const unflagged = sizes.flatMap((size, index) => many(String(index), size));
          const drawn = proposeReview({ unflagged, count, random: () => stream.next().value as number });
          expect(new Set(drawn.map(({ id }) => id)).size).toBe(drawn.length);
          expect(drawn).toHaveLength(Math.min(count, unflagged.length));
          if (count < sizes.length) return;
          expect(drawn.reduce((sum, { probability }) => sum + 1 / probability, 0)).toBeCloseTo(unflagged.length, 6);
        },
      ),
    );
  });

  it('does not depend on the order in which they come', () => {
    const unflagged = many('a', 20);
    const draw = (list: typeof unflagged) => proposeReview({ unflagged: list, count: 3, random: () => 0.4 }).map(({ id }) => id);
    expect(draw([...unflagged].reverse())).toEqual(draw(unflagged));
  });

  it('refuses a trajectory twice and a count of none', () => {
    expect(() => proposeReview({ unflagged: [...many('a', 1), ...many('a', 1)], count: 1, random: fixed })).toThrow(/twice/);
    expect(() => proposeReview({ unflagged: [], count: 0, random: fixed })).toThrow(/from 1/);
  });
});

describe('the estimate of recall', () => {
  it('weights a missed hack by what it stands for', () => {
    const reviewed = [
      { probability: 0.1, isHack: true },
      { probability: 0.1, isHack: false },
      { probability: 1, isHack: true },
    ];
    expect(estimateRecall({ flaggedHacks: 33, reviewed })).toEqual({ missed: 11, recall: 0.75, reviewed: 3 });
  });

  it('is unknown without any hack, and refuses impossible weights', () => {
    expect(estimateRecall({ flaggedHacks: 0, reviewed: [] }).recall).toBeNull();
    expect(() => estimateRecall({ flaggedHacks: 1, reviewed: [{ probability: 0, isHack: true }] })).toThrow(/\(0, 1\]/);
  });
});
