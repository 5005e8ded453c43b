import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editSpan } from '../src/base/edit-span.js';
import { lineMutations } from '../src/base/line-mutations.js';
import { createRandom } from '../src/engine/random.js';

const LINES = [
  'if (value < low) return low;',
  'if (value < low || isOpen) {',
  'total += weights[index] * value[index];',
  'return isReady ? total : fallback;',
  'for (let index = 0; index <= value.length; index++) {',
];

describe('the span of an edit', () => {
  it('turns the line into its mutation, starts where the line starts and occurs once', () => {
    const choice = fc.record({ line: fc.nat(LINES.length - 1), mutation: fc.nat(50), seed: fc.nat() });
    fc.assert(
      fc.property(choice, ({ line, mutation, seed }) => {
        const before = LINES[line]!;
        const mutations = lineMutations(before).map(({ text }) => text);
        const after = mutations[mutation % mutations.length]!;
        const span = editSpan({ before, after, lines: LINES, random: createRandom(seed) });
        expect(before.startsWith(span.old)).toBe(true);
        expect(before.replace(span.old, () => span.new)).toBe(after);
        expect(LINES.join('\n').split(span.old)).toHaveLength(2);
      }),
    );
  });

  it('leaves out what stands far behind the change', () => {
    const before = LINES[4]!;
    const spans = Array.from({ length: 40 }, (_, seed) =>
      editSpan({ before, after: before.replace('= 0', '= 1'), lines: LINES, random: createRandom(seed) }),
    );
    expect(new Set(spans.map(({ old }) => old))).toEqual(
      new Set([
        'for (let index = 0;',
        'for (let index = 0; index',
        'for (let index = 0; index <=',
        'for (let index = 0; index <= value',
        before,
      ]),
    );
  });

  it('grows until no other line contains it', () => {
    const [before] = LINES as [string, ...string[]];
    const draws = [0.5, 0];
    const { old } = editSpan({ before, after: before.replace('<', '>'), lines: LINES, random: () => draws.shift()! });
    // Not the whole line, and of the context the shortest, which is `if (value < low` and stands in the second line too.
    expect(old).toBe('if (value < low)');
  });

  it('is the whole line where even that is not unique', () => {
    const before = 'return a < b;';
    expect(editSpan({ before, after: 'return a > b;', lines: [before, before], random: () => 0 })).toEqual({
      old: before,
      new: 'return a > b;',
    });
  });
});
