import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { seededRandom } from '../src/seeded-random.js';
import { behaviourPreservingRewrites } from '../src/variants/behaviour-preserving-rewrites.js';

const require = createRequire(import.meta.url);
const rewrites = behaviourPreservingRewrites({ limit: 16 });
const rewrittenForms = (file: string, text: string) =>
  rewrites({ file, text, lines: { start: 1, end: Number.MAX_SAFE_INTEGER }, random: seededRandom(file) });

const numbers = [0, 1, 2, 3, 7, 31, -1, 255, 1e9, 0.5, Number.NaN];
const texts = ['', 'a', '/a/./b/../c', 'http://a:80/b?c=%41#d', '::1', 'fe80::1%en0', '1.2.3.4', '%7e%zz', 'ABC'];
const lists = [[], [1], [1, 2, 2, 5], [3, 1, 2], ['a', 'b']];
const calls: readonly (readonly unknown[])[] = [
  ...numbers.flatMap((number, index) => [[number], [number, numbers[(index + 3) % numbers.length]], [number, 2, 5, number]]),
  ...texts.flatMap((text) => [[text], [text, 'hex'], [text, true], [{ scheme: 'http', host: text, path: text, query: text }]]),
  ...lists.flatMap((list) => [[list], [list, 2], [list, 0, 2], [list, 9, (a: number, b: number) => b - a]]),
  [undefined],
];

/** What every exported function gives for every call: its value or error, and its arguments afterwards. */
function outcomesOf(file: string, text: string): string[] {
  const module = { exports: {} as Record<string, unknown> };
  vm.runInThisContext(`(function (module, exports, require) {${text}\n})`)(module, module.exports, createRequire(require.resolve(file)));
  const functions = Object.entries(module.exports).filter(
    (entry): entry is [string, (...values: unknown[]) => unknown] => typeof entry[1] === 'function',
  );
  return functions.flatMap(([name, run]) =>
    calls.map((call) => {
      const values = call.map((value) => (typeof value === 'object' ? structuredClone(value) : value));
      try {
        return inspect([name, run(...values), values], { depth: 5 });
      } catch (error) {
        return inspect([name, (error as Error).name, values], { depth: 5 });
      }
    }),
  );
}

test.each([
  ['bit-twiddle/twiddle.js', 18],
  ['sorted-array-functions/index.js', 10],
  ['hash.js/lib/hash/utils.js', 20],
  ['fast-uri/lib/utils.js', 10],
])('%s gives the same in every form', async (file, functions) => {
  const text = readFileSync(require.resolve(file), 'utf8');
  const expected = outcomesOf(file, text);
  expect(expected.length / calls.length).toBeGreaterThanOrEqual(functions);
  expect(expected.filter((outcome) => !/^\[ '\w+', '\w*Error'/.test(outcome)).length).toBeGreaterThan(expected.length / 3);
  const forms = await rewrittenForms(file, text);
  expect(forms).toHaveLength(16);
  for (const form of forms)
    expect(
      outcomesOf(file, form).filter((outcome, index) => outcome !== expected[index]),
      form,
    ).toEqual([]);
});

const runPython = `
import json, sys
calls = {
  'colorsys': [(f, (r, g, b)) for f in ['rgb_to_yiq', 'yiq_to_rgb', 'rgb_to_hls', 'hls_to_rgb', 'rgb_to_hsv', 'hsv_to_rgb']
    for r in (0, .2, 1) for g in (0, .5, 1) for b in (0, .7, 1, float('nan'))],
  'textwrap': [(f, (t, w)) for f in ['wrap', 'fill', 'shorten'] for w in (0, 1, 9, 30)
    for t in ('', 'one two-three  four', 'a' * 20 + ' b. C', 'tab\\there now')] + [('dedent', (t,)) for t in ('  a\\n   b', '\\ta\\n  b', '')],
}
def outcomes(name, code):
  names = {'__name__': name}
  exec(compile(code, name, 'exec'), names)
  def outcome(f, given):
    try: return repr(names[f](*given))
    except Exception as error: return type(error).__name__
  return [outcome(f, given) for f, given in calls[name]]
for name, group in json.load(sys.stdin).items():
  expected = outcomes(name, group[0])
  for code in group[1:]:
    if outcomes(name, code) != expected: print(json.dumps([name, code]))
`;

test('modules of the standard library of Python give the same in every form', async () => {
  const paths = execFileSync('python3', ['-c', 'import colorsys, textwrap; print(colorsys.__file__); print(textwrap.__file__)'], {
    encoding: 'utf8',
  });
  const groups: Record<string, string[]> = {};
  for (const path of paths.trim().split('\n')) {
    const text = readFileSync(path, 'utf8');
    groups[path.includes('colorsys') ? 'colorsys' : 'textwrap'] = [text, ...(await rewrittenForms(`a${extname(path)}`, text))];
  }
  expect(Object.values(groups).flat().length).toBeGreaterThan(20);
  expect(execFileSync('python3', ['-c', runPython], { input: JSON.stringify(groups), encoding: 'utf8' })).toBe('');
});
