import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadParsers, parseSource } from '../../src/parse/load-parsers.js';
import { descendants } from '../../src/parse/syntax-node.js';
import { findTestUnits } from '../../src/verify/replay/find-literals.js';
import { makeVariants } from '../../src/verify/replay/make-variants.js';
import { nearLiterals } from '../../src/verify/replay/mutate-literal.js';

const script = `import { test } from "node:test";
import { sum } from "../src/sum.js";

test("adds", () => {
  assert.equal(sum([1, 2, 4]), 7);
});

test("joins", () => {
  assert.equal(sum("ab", { mode: "text" }), "ab");
});
`;
const python = `import pytest

from sums import add

LIMIT = 40


@pytest.mark.parametrize("left, right", [(1, 2)])
def test_add(left, right):
    """Adds."""
    assert add(left, right, "fast") == 3


def test_error():
    with pytest.raises(ValueError, match="too"):
        add(LIMIT, 1)
`;

beforeAll(loadParsers);

describe('literals of tests', () => {
  it('leaves out titles, imports, documentation and what is expected', () => {
    const literals = findTestUnits({ path: 'test/sum.test.js', text: script }).flatMap((unit) => unit.literals.map(({ text }) => text));
    expect(literals).toEqual(['[1, 2, 4]', '1', '2', '4', '"ab"', '"text"']);
    const inPython = findTestUnits({ path: 'test_sums.py', text: python }).flatMap((unit) => unit.literals.map(({ text }) => text));
    expect(inPython).toEqual(['40', '[(1, 2)]', '1', '2', '"fast"', '1']);
  });

  it('gives near literals of the same kind', () => {
    const near = (kind: 'number' | 'string' | 'list' | 'truth', text: string, members: readonly string[] = []) =>
      nearLiterals({ literal: { kind, text, members, start: 0, end: 0 }, isKeyword: false });
    expect(near('number', '7')).toContain('8');
    expect(near('truth', 'True')).toEqual(['False']);
    expect(near('list', '[1, 2]', ['1', '2'])).toEqual(['[2, 1]']);
    expect(near('string', '"a1"')).toContain('"a2"');
    for (const text of near('string', '"say \\"hi\\"\\n"')) expect(() => JSON.parse(text)).not.toThrow();
  });

  it('lets functions fail that a test hands to the product, and no others', () => {
    const text =
      'test("loads", async () => {\n  assert.equal(await load("k", () => 7), 7);\n  assert.deepEqual([1].map((n) => n), [1]);\n});\n';
    const literals = findTestUnits({ path: 'a.test.js', text }).flatMap((unit) => unit.literals);
    expect(literals.filter(({ kind }) => kind === 'callback').map((literal) => literal.text)).toEqual(['() => 7']);
    const inPython = 'def test_load():\n    assert load("k", lambda: 7) == 7\n    assert sorted(ks, key=lambda k: k) == [1]\n';
    const found = findTestUnits({ path: 'test_a.py', text: inPython }).flatMap((unit) => unit.literals);
    expect(found.filter(({ kind }) => kind === 'callback').map((literal) => literal.text)).toEqual(['lambda: 7']);
  });

  it('does not spell keywords otherwise', () => {
    expect(nearLiterals({ literal: { kind: 'string', text: '"fast"', members: [], start: 0, end: 0 }, isKeyword: true })).toEqual([]);
  });
});

describe('variants of tests', () => {
  it('keeps the test that a change reaches and takes the others away', () => {
    const variants = makeVariants({ path: 'test/sum.test.js', text: script, keywords: new Set(['text']) });
    expect(variants.length).toBeGreaterThan(5);
    for (const variant of variants) expect(variant.includes('"adds"')).not.toBe(variant.includes('"joins"'));
    expect(new Set(variants).size).toBe(variants.length);
    expect(variants.every((variant) => !variant.includes('mode: "tex') || variant.includes('mode: "text"'))).toBe(true);
  });

  it('stays source that can be read, in both languages', () => {
    const cases = [
      { path: 'test/sum.test.js', text: script, language: 'typescript' as const },
      { path: 'test_sums.py', text: python, language: 'python' as const },
    ];
    for (const { language, ...file } of cases) {
      for (const text of makeVariants({ ...file, keywords: new Set() })) {
        expect([...descendants(parseSource({ language, text }))].some(({ type }) => type === 'ERROR')).toBe(false);
      }
    }
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        expect(makeVariants({ path: 'test_any.py', text, keywords: new Set() })).toBeInstanceOf(Array);
        expect(makeVariants({ path: 'any.test.js', text, keywords: new Set() })).toBeInstanceOf(Array);
      }),
      { numRuns: 60 },
    );
  });
});
