import { TadpoleError } from '@tadpole/contracts';
import type { BatchCounts } from './build-batch.js';

/**
 * How many more groups to roll out so that a batch keeps as many as wanted; 0 when it does, or when `maxAsked` is reached. For a
 * loop that builds the batch again from all groups so far:
 *
 *     for (let count = refillCount({ asked, wanted: 32 }); count > 0; ) {
 *       asked += count;
 *       groups.push(...(await rollOut(count)));
 *       count = refillCount({ counts: buildBatch({ groups }).counts, asked, wanted: 32 });
 *     }
 *
 * It never asks for more than are missing, so no kept group goes to waste. FrogNano does not refill (arXiv 2609.07925 names no
 * refilling); ROFT does until 32 groups are kept (arXiv 2609.35741).
 *
 * @throws TadpoleError `invalid-input` for numbers that are no whole numbers of groups.
 */
export function refillCount(options: {
  /** Of the batch from all groups so far; `undefined` before the first. */
  counts?: Pick<BatchCounts, 'groupsKept'>;
  /** Groups asked for so far, whether or not they came: what ends a loop whose groups do not come. */
  asked: number;
  /** Groups that the batch should keep. */
  wanted: number;
  /** Groups asked for in all, at most. @default 4 * wanted */
  maxAsked?: number;
}): number {
  const { counts, asked, wanted, maxAsked = 4 * wanted } = options;
  for (const [name, value] of Object.entries({ asked, wanted, maxAsked })) {
    if (Number.isInteger(value) && value >= 0) continue;
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a whole number of groups as ${name}, got ${value}.` });
  }
  return Math.max(0, Math.min(wanted - (counts?.groupsKept ?? 0), maxAsked - asked));
}
