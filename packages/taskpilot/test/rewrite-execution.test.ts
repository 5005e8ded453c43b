import { inspect } from 'node:util';
import vm from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mutationOperators } from '../src/generator/mutation-operators.js';
import { seededRandom } from '../src/seeded-random.js';
import { behaviourPreservingRewrites } from '../src/variants/behaviour-preserving-rewrites.js';
import { siblingMutants } from '../src/variants/sibling-mutants.js';
import { javascriptPrograms } from './support/small-programs.js';

const everyLine = { start: 1, end: Number.MAX_SAFE_INTEGER };
const rewrites = behaviourPreservingRewrites({ limit: 60 });

/** An object whose every conversion is written down. */
const watched = (name: string, value: unknown) => `({ valueOf() { trace.push('${name}'); return ${value}; } })`;
const triples = [
  '[0, 1, 2]',
  '[-1, -0, 0.5]',
  '[NaN, 1, NaN]',
  '[undefined, null, 0]',
  "['', '0', 'x']",
  "['b', 1, 'a']",
  '[true, false, null]',
  '[[], {}, [1, 2]]',
  '[2n, 1, 1n]',
  "[Symbol('s'), 1, 'x']",
  `[${watched('first', 1)}, ${watched('second', 2)}, ${watched('third', 0)}]`,
  `[${watched('first', 'NaN')}, 3, ${watched('third', "'x'")}]`,
];

/** What a program gives for every input: its value or error, and the calls and conversions on the way. */
function outcomesOf(program: string): string[] {
  const context = vm.createContext({});
  vm.runInContext(`let trace = []; let limit = 0;\n${program}`, context);
  return triples.map((triple) => {
    const call = `trace = []; limit = 9; (() => { try { return ['value', target(...${triple}), trace]; } catch (error) { return ['error', String(error), trace]; } })()`;
    // the engine names local variables in its own messages; a renamed one ends with 2
    return inspect(vm.runInContext(call, context), { depth: 6 }).replace(/\b([a-z]+)2\b(?!n)/g, '$1');
  });
}

test.each(['a.js', 'a.ts'])('a rewritten program in %s gives the same values, errors, calls and conversions', async (file) => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(javascriptPrograms, fc.integer(), async (program, seed) => {
      const expected = outcomesOf(program);
      for (const rewritten of await rewrites({ file, text: program, lines: everyLine, random: seededRandom(seed) })) {
        expect(outcomesOf(rewritten), rewritten).toEqual(expected);
        compared++;
      }
    }),
    { numRuns: 25 },
  );
  expect(compared).toBeGreaterThan(400);
});

test('the comparison tells most bugs from the program', async () => {
  // none of these makes a loop of the programs endless
  const operators = mutationOperators.filter(({ name }) => ['reverse-comparison', 'flip-equality', 'swap-arithmetic'].includes(name));
  let [told, all] = [0, 0];
  await fc.assert(
    fc.asyncProperty(javascriptPrograms, async (program) => {
      const expected = JSON.stringify(outcomesOf(program));
      for (const mutant of await siblingMutants({ operators })({ file: 'a.js', text: program, lines: everyLine, random: () => 0.5 })) {
        all++;
        if (JSON.stringify(outcomesOf(mutant)) !== expected) told++;
      }
    }),
    { numRuns: 10 },
  );
  expect(all).toBeGreaterThan(50);
  expect(told / all).toBeGreaterThan(0.5);
});
