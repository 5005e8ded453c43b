import { execFileSync } from 'node:child_process';
import { inspect } from 'node:util';
import vm from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mutationOperators } from '../src/generator/mutation-operators.js';
import { seededRandom } from '../src/seeded-random.js';
import type { SolvedVariants } from '../src/validate/control-gates.js';
import { behaviourPreservingRewrites } from '../src/variants/behaviour-preserving-rewrites.js';
import { siblingMutants } from '../src/variants/sibling-mutants.js';
import { javascriptPrograms, pythonPrograms } from './support/small-programs.js';

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
    { numRuns: 12 },
  );
  expect(compared).toBeGreaterThan(50);
});

test('the comparison tells bugs from the program', async () => {
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
    { numRuns: 20, seed: 1 },
  );
  expect(all).toBeGreaterThan(30);
  expect(told / all).toBeGreaterThan(0.3);
});

/** Reads groups of programs that should be alike; prints the pairs that are not, and what a first difference is. */
const comparePrograms = `
import json, sys
trace = []
class Watched:
  def __init__(self, name): self.name = name
  def __bool__(self): trace.append(('bool', self.name)); return self.name == 'yes'
  def __lt__(self, other): trace.append(('lt', self.name)); return self
  def __gt__(self, other): trace.append(('gt', self.name)); return 0
  def __eq__(self, other): trace.append(('eq', self.name)); return self
  def __add__(self, other): trace.append(('add', self.name)); return self
  def __iadd__(self, other): trace.append(('iadd', self.name)); return 1
  def __len__(self): trace.append(('len', self.name)); return 1
  def __repr__(self): return self.name
nan = float('nan')
inputs = [(0, 3, 2), (5, 4, -3), (-1, 0.5, 1), (1, 1, 1), (0, '', 2), (1, 'x', [0]), (-1, [1], 0.5), (nan, [], nan), (None, 'b', 'a'), (True, (1,), False), ({1}, {2}, {1, 2})]
inputs += [(Watched('yes'), Watched('no'), Watched('yes')), (Watched('no'), [], 3)]
def outcomes(code):
  left = [0]
  def note(id, value): trace.append(id); return value
  def take(): left[0] -= 1; return left[0] >= 0
  names = {'note': note, 'take': take}
  exec(compile(code, 'program', 'exec'), names)
  def outcome(given):
    trace.clear(); left[0] = 9
    try: return repr(('value', names['target'](*given), trace))
    except Exception as error: return repr((type(error).__name__, str(error).replace('2', ''), trace)).replace('2', '')
  return [outcome(given) for given in inputs]
import warnings; warnings.simplefilter('ignore')
for group in json.load(sys.stdin):
  expected = outcomes(group[0])
  for code in group[1:]:
    found = outcomes(code)
    if found != expected: print(json.dumps([group[0], code, *[pair for pair in zip(expected, found) if pair[0] != pair[1]][:1]]))
`;

async function pythonGroups(variants: SolvedVariants) {
  const programs = fc.sample(pythonPrograms, { numRuns: 40, seed: 1 });
  const rewritten = (text: string) => variants({ file: 'a.py', text, lines: everyLine, random: seededRandom(text) });
  return Promise.all(programs.map(async (program) => [program, ...(await rewritten(program))]));
}

function differences(groups: readonly (readonly string[])[]): unknown[] {
  const printed = execFileSync('python3', ['-c', comparePrograms], { input: JSON.stringify(groups), encoding: 'utf8' });
  return printed
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('a rewritten program in Python gives the same values, errors, calls and conversions', async () => {
  const groups = await pythonGroups(rewrites);
  expect(groups.flat().length).toBeGreaterThan(300);
  expect(differences(groups)).toEqual([]);
});

test('the comparison in Python tells bugs from the program', async () => {
  const operators = mutationOperators.filter(({ name }) => ['reverse-comparison', 'flip-equality', 'swap-arithmetic'].includes(name));
  const groups = await pythonGroups(siblingMutants({ operators }));
  expect(differences(groups).length).toBeGreaterThan((groups.flat().length - groups.length) / 3);
});
