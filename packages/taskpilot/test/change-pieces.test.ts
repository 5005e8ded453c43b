import type { SpanEdit } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';
import { gitPatch } from '../src/edit/git-patch.js';
import { notReproduced } from '../src/edit/reproduces.js';
import { countChangedLines, type Hunk, splitChange, splitLines } from '../src/reversal/change-pieces.js';
import { groupPieces } from '../src/reversal/group-pieces.js';
import { areSeparate, reversePiece } from '../src/reversal/reverse-piece.js';

const line = fc.constantFrom('a', 'b', 'let c = a', 'd(c)', '', '  e', '😀', '// f');
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 14 })
  .chain((lines) => fc.constantFrom('', 'end').map((end) => lines.flat().join('') + end));
const context = fc.integer({ min: 0, max: 3 });
const split = (options: { before: string; after: string; context: number; maxChangedLines?: number }) =>
  splitChange({ change: { path: 'a.js', ...options }, context: options.context, maxChangedLines: options.maxChangedLines ?? 1000 });

describe('pieces of a change', () => {
  test('undone together give the text before it, and the gold patch gives the text after it', () => {
    fc.assert(
      fc.property(text, text, context, (before, after, around) => {
        const undone = split({ before, after, context: around })!.map((piece) => reversePiece({ piece, current: after }));
        expect(undone).not.toContain(null);
        const edits = undone.flatMap((own) => own as SpanEdit[]);
        expect(areSeparate(edits)).toBe(true);
        expect(applyEdits(after, edits)).toBe(before);
        const files = [{ path: 'a.js', before, after }];
        expect(notReproduced({ files, patch: gitPatch({ files }) })).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  test('stand in exactly one group each', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = split({ before, after, context: 0 })!;
        const groups = groupPieces({ pieces, changes: [{ path: 'a.js', before, after }] });
        expect(new Set(groups.flat())).toEqual(new Set(pieces));
        expect(groups.flat()).toHaveLength(pieces.length);
      }),
      { numRuns: 300 },
    );
  });

  test('undo a change in a text that grew around it, or not at all', () => {
    fc.assert(
      fc.property(text, text, text, text, (before, after, above, below) => {
        const current = `${above}top\n${after}bottom\n${below}`;
        for (const piece of split({ before, after, context: 3 })!) {
          const edits = reversePiece({ piece, current }) as SpanEdit[] | null;
          if (edits === null) continue;
          const { after: lines, blocks } = piece as Hunk;
          // What is taken out is what the change put in, inside the hunk's own lines.
          expect(edits.map(({ start, end }) => current.slice(start, end))).toEqual(blocks.map(({ added }) => added.join('')));
          const all = splitLines(current);
          const places = all.filter((_, start) => lines.every((line, index) => all[start + index] === line));
          expect(places).toHaveLength(1);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('are separate when no two edits share a place', () => {
    const span = (start: number, end: number, file = 'a.js') => ({ file, start, end, text: '' });
    expect(areSeparate([span(4, 6), span(0, 3), span(0, 9, 'b.js')])).toBe(true);
    expect(areSeparate([span(2, 6), span(0, 3)])).toBe(false);
    expect(areSeparate([span(3, 6), span(0, 3)])).toBe(false);
    expect(areSeparate([span(3, 6), { file: 'a.js', content: null }])).toBe(false);
  });

  test('join blocks with at most twice the context between them', () => {
    const after = 'a\nb\nc\nd\ne\n';
    const before = 'A\nb\nc\nd\nE\n';
    expect(split({ before, after, context: 1 })).toHaveLength(2);
    const [hunk, ...more] = split({ before, after, context: 2 }) as [Hunk];
    expect(more).toEqual([]);
    expect(hunk).toMatchObject({
      start: 0,
      blocks: [
        { offset: 0, added: ['a\n'], removed: ['A\n'] },
        { offset: 4, added: ['e\n'], removed: ['E\n'] },
      ],
    });
    expect(countChangedLines(hunk)).toBe(4);
  });

  test('are none past the bound on changed lines', () => {
    expect(split({ before: 'a\nb\n', after: 'c\nd\n', context: 3, maxChangedLines: 4 })).toHaveLength(1);
    expect(split({ before: 'a\nb\n', after: 'c\nd\n', context: 3, maxChangedLines: 3 })).toBeNull();
    const change = { path: 'a.js', before: null, after: 'c\nd\n' };
    expect(splitChange({ change, context: 3, maxChangedLines: 2 })).toHaveLength(1);
    expect(splitChange({ change, context: 3, maxChangedLines: 1 })).toBeNull();
  });
});
