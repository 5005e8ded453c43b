import { describe, expect, it } from 'vitest';
import { createRedactor } from '../src/index.js';

const long = 9_000_000;

describe('a text that goes on like a key without end', () => {
  it.each([
    ['a source map', `data:application/json;base64,eyJ${'a'.repeat(long)}`],
    ['a token', `hf_${'a'.repeat(long)}`],
    ['another token', `sk-ant-${'a'.repeat(long)}`],
    ['a token with digits', `sk-${'1'.repeat(long)}`],
    ['a header', `-----BEGIN ${'A '.repeat(long / 2)}`],
    ['a key', `-----BEGIN PRIVATE KEY-----${'x '.repeat(long / 2)}`],
    ['a line number', `\n${'1'.repeat(long)}`],
    ['a truncation mark', `\n[truncated ${'1'.repeat(long)}`],
  ])('such as %s is read to its end', (_what, text) => {
    const { pieces } = createRedactor({ secrets: { K: 'correct-horse-battery' } }).redact([text, ' correct-horse-battery']);
    expect(pieces[1]).toBe(' [redacted:K]');
  });
});

describe('a secret in every piece', () => {
  it('is taken out of each of 100,000', () => {
    const { pieces, count } = createRedactor({ secrets: { K: 'correct-horse-battery' } }).redact(
      Array(100_000).fill('correct-horse-battery,'),
    );
    expect(count).toBe(100_000);
    expect(new Set(pieces)).toEqual(new Set(['[redacted:K],']));
  });

  it('is taken out where it reaches over several, empty ones too', () => {
    const { redact } = createRedactor({ secrets: { K: 'correct-horse-battery' } });
    expect(redact(['a correct', '', '-horse-', 'battery b correct-horse', '-battery']).pieces).toEqual([
      'a [redacted:K]',
      '',
      '',
      ' b [redacted:K]',
      '',
    ]);
  });
});

describe('a value is taken out as others write it', () => {
  const value = "pässwörd one/two(3)!'*~";
  // As Python 3.11 prints them: quote, quote with safe='', quote_plus, json.dumps.
  it.each([
    ['quote', 'p%C3%A4ssw%C3%B6rd%20one/two%283%29%21%27%2A~'],
    ["quote with safe=''", 'p%C3%A4ssw%C3%B6rd%20one%2Ftwo%283%29%21%27%2A~'],
    ['quote_plus', 'p%C3%A4ssw%C3%B6rd+one%2Ftwo%283%29%21%27%2A~'],
    ['lower case', 'p%c3%a4ssw%c3%b6rd%20one%2ftwo%283%29%21%27%2a~'],
    ['encodeURIComponent', encodeURIComponent(value)],
    ['URLSearchParams', new URLSearchParams({ v: value }).toString().slice(2)],
    ['json.dumps', "p\\u00e4ssw\\u00f6rd one/two(3)!'*~"],
    ['JSON in ASCII with capitals', "p\\u00E4ssw\\u00F6rd one/two(3)!'*~"],
  ])('by %s', (_how, text) => {
    expect(createRedactor({ secrets: { K: value } }).redact([`<${text}>`])).toEqual({ pieces: ['<[redacted:K]>'], count: 1 });
  });

  it('also where it has half of a surrogate pair', () => {
    const broken = 'half \ud800 of a pair';
    expect(createRedactor({ secrets: { K: broken } }).redact([broken]).pieces).toEqual(['[redacted:K]']);
  });
});
