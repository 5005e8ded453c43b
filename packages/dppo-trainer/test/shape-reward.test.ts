import { describe, expect, test } from 'vitest';
import { isTruncated, lengthReward, truncationReward } from '../src/index.js';

describe('lengthReward', () => {
  test.each([
    [16_384, 0.931],
    [65_536, 0.792],
    [131_072, 0.723],
    [8_192, 1],
    [100, 1],
  ])('a pass of %i tokens is worth %d', (generatedTokens, expected) => {
    expect(lengthReward({ reward: 1, truncated: false, generatedTokens })).toBeCloseTo(expected, 3);
  });

  test('a truncated pass is worth a half whatever its length', () => {
    expect(lengthReward({ reward: 1, truncated: true, generatedTokens: 100_000 })).toBe(0.5);
  });

  test('a failure is never penalised for its length', () => {
    expect(lengthReward({ reward: 0, truncated: false, generatedTokens: 1_000_000 })).toBe(0);
    expect(lengthReward({ reward: 0.4, truncated: true, generatedTokens: 1_000_000 })).toBe(0.4);
  });

  test('alpha and the reference length are options', () => {
    const reward = lengthReward({ reward: 1, truncated: false, generatedTokens: 128, alpha: 0.25, referenceTokens: 64 });
    expect(reward).toBeCloseTo(1 - 0.25 * Math.LN2, 12);
  });

  test('a pass without a recorded token is refused', () => {
    expect(() => lengthReward({ reward: 1, truncated: false, generatedTokens: 0 })).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });
});

describe('truncationReward', () => {
  test('knows no length', () => {
    expect(truncationReward({ reward: 1, truncated: false })).toBe(1);
    expect(truncationReward({ reward: 1, truncated: true })).toBe(0.5);
    expect(truncationReward({ reward: 0, truncated: true })).toBe(0);
  });

  test.each([-0.1, 1.1, Number.NaN])('refuses a reward of %d', (reward) => {
    expect(() => truncationReward({ reward, truncated: false })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

test('only the agent’s own end is no truncation', () => {
  expect(isTruncated('agent')).toBe(false);
  expect(isTruncated('max-turns')).toBe(true);
  expect(isTruncated('max-tokens-per-turn')).toBe(true);
});
