import type { WireDatum } from '@tadpole/contracts/tinker';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkData } from '../../src/tinker/chunk-data.js';

/** Ten bytes a number, two numbers a token. */
function datum(tokens: number, first = 0): WireDatum {
  const numbers = Array.from({ length: tokens }, (_, index) => first + index);
  return {
    model_input: { chunks: [{ type: 'encoded_text', tokens: numbers }] },
    loss_fn_inputs: { target_tokens: { data: numbers, dtype: 'int64' } },
  };
}

describe('splitting a batch into requests', () => {
  it('keeps to the number of data', () => {
    expect(chunkData({ data: [1, 1, 1, 1, 1].map((n) => datum(n)), mostData: 2, mostBytes: 1e6 }).map((chunk) => chunk.length)).toEqual([
      2, 2, 1,
    ]);
  });

  it('keeps to the bytes, and lets a longer datum go alone', () => {
    const chunks = chunkData({ data: [5, 5, 1, 90, 5].map((n) => datum(n)), mostData: 9, mostBytes: 200 });
    expect(chunks.map((chunk) => chunk.map(({ model_input }) => model_input.chunks[0]?.tokens.length))).toEqual([[5, 5], [1], [90], [5]]);
  });

  it('keeps all data in order, whatever the bounds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 })),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 900 }),
        (lengths, mostData, mostBytes) => {
          const data = lengths.map((length, index) => datum(length, index));
          const chunks = chunkData({ data, mostData, mostBytes });
          expect(chunks.flat()).toEqual(data);
          expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= mostData)).toBe(true);
        },
      ),
    );
  });
});
