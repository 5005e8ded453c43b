import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mcnemarExact } from '../src/index.js';

/** The same probability in exact integer arithmetic, rounded once. */
function exactly(b: number, c: number): number {
  const n = BigInt(b + c);
  let term = 1n;
  let tail = 0n;
  for (let k = 0n; k <= BigInt(Math.min(b, c)); k += 1n) {
    tail += term;
    term = (term * (n - k)) / (k + 1n);
  }
  const scaled = (2n * tail * 10n ** 30n) >> n;
  return Math.min(1, Number(scaled) / 1e30);
}

describe('mcnemarExact', () => {
  test('gives the published value for 1 against 7 discordant children', () => {
    expect(mcnemarExact({ onlyBefore: 1, onlyAfter: 7 }).pValue).toBeCloseTo(0.0703, 4);
  });

  test.each([
    [5, 12, 0.143463134765625],
    [0, 10, 0.001953125],
    [4, 20, 0.001543879508972168],
    [480, 520, 0.21744829320414094],
    [4800, 5200, 6.593515598672442e-5],
    [3, 3, 1],
    [0, 0, 1],
  ])('%i against %i gives %d', (onlyBefore, onlyAfter, expected) => {
    const { pValue, discordant } = mcnemarExact({ onlyBefore, onlyAfter });
    expect(Math.abs(pValue / expected - 1)).toBeLessThan(1e-9);
    expect(discordant).toBe(onlyBefore + onlyAfter);
  });

  test('agrees with exact integer arithmetic and does not care which run is first', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), (b, c) => {
        const { pValue } = mcnemarExact({ onlyBefore: b, onlyAfter: c });
        expect(Math.abs(pValue - exactly(b, c))).toBeLessThan(1e-12 + 1e-10 * pValue);
        expect(mcnemarExact({ onlyBefore: c, onlyAfter: b }).pValue).toBe(pValue);
      }),
    );
  });

  test('stays a probability for counts far beyond double precision’s factorials', () => {
    const { pValue } = mcnemarExact({ onlyBefore: 1_000_000, onlyAfter: 1_002_000 });
    expect(pValue).toBeGreaterThan(0.15);
    expect(pValue).toBeLessThan(0.17);
  });

  test.each([
    [-1, 2],
    [1.5, 2],
  ])('refuses %d and %d', (onlyBefore, onlyAfter) => {
    expect(() => mcnemarExact({ onlyBefore, onlyAfter })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});
