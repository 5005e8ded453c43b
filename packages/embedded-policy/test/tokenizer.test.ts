import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenizer } from '../src/tokenizer/create-tokenizer.js';
import { preTokenize } from '../src/tokenizer/pre-tokenize.js';
import { SPECIAL_TOKENS } from '../src/tokenizer/special-tokens.js';
import { FIRST_BYTE_ID, FIRST_INTEGER_ID, FIRST_MERGE_ID } from '../src/tokenizer/tokenizer-data.js';
import { trainTokenizer } from '../src/tokenizer/train-tokenizer.js';

const CODE = `function add(a, b) {\n  return a === b && a <= 10 ? 42. : call(a, b);\n}\n39.     if (a >= b) {\n`;
const data = trainTokenizer({ texts: [CODE.repeat(20), 'return returned returning '.repeat(9)], vocabularySize: FIRST_MERGE_ID + 60 });
const tokenizer = createTokenizer(data);

describe('the tokenizer', () => {
  it('gives back every text that it encoded', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.stringMatching(/^[-+*/<>=!&|(){};., \n\t\da-zA-Z_$'"]{0,80}$/),
    );
    fc.assert(
      fc.property(text, (value) => tokenizer.decode(tokenizer.encode(value)) === value),
      { numRuns: 400 },
    );
  });

  it('encodes no text as a special token', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => tokenizer.encode(value).every((id) => id >= SPECIAL_TOKENS.length)));
    expect(tokenizer.encode('<end>').length).toBeGreaterThan(1);
  });

  it('gives each integer from 0 to 999 one id and spells any other digits', () => {
    for (const integer of [0, 7, 42, 999]) expect(tokenizer.encode(String(integer))).toEqual([FIRST_INTEGER_ID + integer]);
    for (const digits of ['1000', '007', '00']) expect(tokenizer.encode(digits).every((id) => id >= FIRST_BYTE_ID)).toBe(true);
  });

  it('encodes the words of an indented, numbered line as those of the line alone', () => {
    const line = 'if (a >= b) {';
    const alone = tokenizer.encode(line);
    expect(tokenizer.encode(`lib/a.js\n39.     ${line}`).slice(-alone.length)).toEqual(alone);
    expect(tokenizer.encode(`lib/a.js\n39. ${line}`).slice(-alone.length)).toEqual(alone);
  });

  it('cuts operators from their operands', () => {
    expect(preTokenize('a===b')).toEqual(['a', '===', 'b']);
    expect(preTokenize('if (x <= y && !z)')).toEqual(['if', ' (', 'x', ' <=', ' y', ' &&', ' !', 'z', ')']);
    expect(preTokenize('i++; a.length\n\n    b')).toEqual(['i', '++', ';', ' a', '.length', '\n', '\n', '    ', 'b']);
  });

  it('replaces bytes that are no UTF-8 and refuses an id outside the vocabulary', () => {
    expect(tokenizer.decode([FIRST_BYTE_ID + 0xff])).toBe('\u{fffd}');
    expect(() => tokenizer.decode([tokenizer.vocabularySize])).toThrow(/expected ids from 0 to/);
  });
});

describe('training a tokenizer', () => {
  it('joins the most frequent pair first and ties by the smaller ids', () => {
    const byte = (letter: string) => FIRST_BYTE_ID + letter.charCodeAt(0);
    const trained = trainTokenizer({ texts: ['aab aab aab', 'cd cd'], vocabularySize: FIRST_MERGE_ID + 2 });
    // " aab" twice and "aab" once: "aa" and "ab" both occur three times, then the joined "aa" meets "b" three times.
    expect(trained.merges).toEqual([
      [byte('a'), byte('a')],
      [FIRST_MERGE_ID, byte('b')],
    ]);
  });

  it('stops when no pair occurs twice', () => {
    expect(trainTokenizer({ texts: ['ab'], vocabularySize: 5000 }).merges).toEqual([]);
  });

  it('refuses data of another version', () => {
    expect(() => createTokenizer({ ...data, specialTokens: ['pad'] })).toThrow(/special tokens/);
    expect(() => createTokenizer({ ...data, merges: [[FIRST_MERGE_ID, FIRST_BYTE_ID]] })).toThrow(/earlier merges/);
  });
});
