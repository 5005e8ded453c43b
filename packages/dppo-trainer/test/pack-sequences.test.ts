import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildSequences, packSequences, type TrainingSequence } from '../src/index.js';
import { makeSegment, makeTrajectory } from './make-trajectory.js';

/** Sequences of these lengths after the shift, each with one token of prompt and the rest sampled. */
function sequencesOf(lengths: readonly number[]): TrainingSequence[] {
  return lengths.flatMap((length, index) => {
    const segment = makeSegment({ prompt: [1], sampled: Array.from({ length }, () => 2) });
    return buildSequences({ trajectory: makeTrajectory({ id: `r${index}`, segments: [segment] }), advantage: 1 });
  });
}

const paddedTokens = (pack: readonly TrainingSequence[]) => pack.length * Math.max(...pack.map(({ datum }) => datum.targets.length));

describe('packSequences', () => {
  test('puts sequences of like length together, within the budget with their padding', () => {
    const packs = packSequences({ sequences: sequencesOf([2, 5, 3, 5, 2]), maxPaddedTokens: 10 });
    expect(packs.map((pack) => pack.map(({ trajectoryId }) => trajectoryId))).toEqual([
      ['r1', 'r3'],
      ['r2', 'r0', 'r4'],
    ]);
  });

  test('every trainable token is in exactly one pack and no pack is above the budget', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 30, max: 200 }), (given, maxPaddedTokens) => {
        const sequences = sequencesOf(given);
        const packs = packSequences({ sequences, maxPaddedTokens });
        const packed = packs.flat();
        expect(new Set(packed)).toEqual(new Set(sequences));
        expect(packed).toHaveLength(sequences.length);
        const trained = (all: readonly TrainingSequence[]) => all.reduce((sum, { mask }) => sum + mask.reduce((a, b) => a + b, 0), 0);
        expect(trained(packed)).toBe(trained(sequences));
        expect(packs.every((pack) => pack.length > 0 && paddedTokens(pack) <= maxPaddedTokens)).toBe(true);
      }),
    );
  });

  test('a sequence longer than the budget is an error that names it', () => {
    expect(() => packSequences({ sequences: sequencesOf([3, 12, 4]), maxPaddedTokens: 11 })).toThrow(
      expect.objectContaining({
        code: 'invalid-input',
        message: expect.stringMatching(/at most 11 tokens.*got 12 in trajectory r1 of task task/),
      }),
    );
  });

  test.each([0, -1, 1.5, Number.NaN])('refuses a budget of %d', (maxPaddedTokens) => {
    expect(() => packSequences({ sequences: sequencesOf([1]), maxPaddedTokens })).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });
});
