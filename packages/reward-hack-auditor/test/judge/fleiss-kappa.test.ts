import { describe, expect, it } from 'vitest';
import { fleissKappa } from '../../src/index.js';

describe("Fleiss' kappa", () => {
  it('is a quarter for three raters who agree on one of two subjects, by hand', () => {
    // P = mean(1, 1/3) = 2/3; shares (4/6, 2/6) give 5/9, so kappa = (2/3 - 5/9) / (4/9) = 1/4.
    expect(
      fleissKappa([
        [3, 0],
        [1, 2],
      ]),
    ).toBeCloseTo(0.25, 12);
  });

  it('is 1 for agreement over two categories, -1 for two raters who never agree, and undefined over one category', () => {
    expect(
      fleissKappa([
        [3, 0],
        [0, 3],
      ]),
    ).toBe(1);
    expect(
      fleissKappa([
        [1, 1],
        [1, 1],
      ]),
    ).toBe(-1);
    expect(
      fleissKappa([
        [3, 0],
        [3, 0],
      ]),
    ).toBeNull();
  });

  it('refuses tables that are none', () => {
    for (const table of [
      [],
      [[1, 0]],
      [
        [2, 0],
        [1, 0],
      ],
      [[2], [1, 1]],
      [[3, -1]],
      [[1.5, 0.5]],
    ])
      expect(() => fleissKappa(table)).toThrow(/rows of counts/);
  });
});
