import { isTadpoleError } from '@tadpole/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';

test('replaces spans by their offsets in the text as given, in any order of the list', () => {
  const text = '\uFEFFlet a = "😀";\r\nlet b = 1;\r\n';
  const one = text.indexOf('1');
  const edits = [
    { file: 'x.js', start: one, end: one + 1, text: '22' },
    { file: 'x.js', start: 5, end: 6, text: 'name' },
  ];
  expect(applyEdits(text, edits)).toBe('\uFEFFlet name = "😀";\r\nlet b = 22;\r\n');
});

test('undoes an edit of any text by the inverse edit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.nat(), fc.nat(), (text, replacement, a, b) => {
      const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
      const changed = applyEdits(text, [{ file: 'f', start, end, text: replacement }]);
      const inverse = { file: 'f', start, end: start + replacement.length, text: text.slice(start, end) };
      expect(applyEdits(changed, [inverse])).toBe(text);
    }),
  );
});

test.each([
  [
    'overlap',
    [
      { file: 'f', start: 0, end: 2, text: '' },
      { file: 'f', start: 1, end: 3, text: '' },
    ],
  ],
  ['reach past the end', [{ file: 'f', start: 0, end: 5, text: '' }]],
  [
    'name two files',
    [
      { file: 'f', start: 0, end: 1, text: '' },
      { file: 'g', start: 1, end: 2, text: '' },
    ],
  ],
])('refuses edits that %s', (_, edits) => {
  const attempt = () => applyEdits('abc', edits);
  expect(attempt).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
  try {
    attempt();
  } catch (error) {
    expect(isTadpoleError(error)).toBe(true);
  }
});
