import { expect, test } from 'vitest';
import type { FailingExample } from '../src/statement/example/failing-example.js';
import { lintDeterminacy } from '../src/statement/lint-determinacy.js';
import { availableRungs, type StatementFacts, writeStatement } from '../src/statement/write-statement.js';

const example: FailingExample = {
  setup: '',
  call: 'range(3, 1)',
  expected: '[3, 2]',
  observed: '[]',
  entryPoint: 'range',
  module: 'lib/range.js',
  outcome: 'value',
  fence: 'js',
};
const facts: StatementFacts = {
  file: 'lib/steps.js',
  line: 4,
  lineText: '  return 1;',
  region: { start: 1, end: 8 },
  testName: 'counts down',
  expected: '[ 3, 2 ]',
  observed: '[]',
  functionName: 'Steps.next',
  contract: { signature: 'range(start, stop)', doc: 'Numbers from start towards stop.\nThe stop is left out.', examples: [] },
  example,
};

test('the contract rung says what is owed and not where the bug is', () => {
  expect(writeStatement({ ...facts, rung: 'contract' })).toBe(`\`range\` gives a wrong result

Its signature is \`range(start, stop)\`.

Its contract:

> Numbers from start towards stop.
> The stop is left out.

\`range(3, 1)\` gives \`[]\`. It should give \`[3, 2]\`.

\`\`\`js
range(3, 1)
// observed: []
// expected: [3, 2]
\`\`\`

Existing behaviour must not change.`);
});

test('a contract without a doc comment is told by what holds already, and a module without a name by what exports it', () => {
  const contract = { signature: 'range(start, stop)', examples: [{ input: 'range(1, 3)', value: '[1, 2]' }] };
  expect(
    writeStatement({ ...facts, contract, example: { ...example, moduleName: 'range' }, rung: 'contract' }),
  ).toBe(`\`range\` gives a wrong result

\`range\` is what \`lib/range.js\` exports.

Its signature is \`range(start, stop)\`.

It already holds that:

\`\`\`js
range(1, 3) // [1, 2]
\`\`\`

\`range(3, 1)\` gives \`[]\`. It should give \`[3, 2]\`.

\`\`\`js
range(3, 1)
// observed: []
// expected: [3, 2]
\`\`\`

Existing behaviour must not change.`);
});

test('the function rung says where the bug is and not what is owed beside the example', () => {
  expect(writeStatement({ ...facts, rung: 'function' })).toBe(`\`range\` gives a wrong result

The fault is in \`Steps.next\` of \`lib/steps.js\`.

\`range(3, 1)\` gives \`[]\`. It should give \`[3, 2]\`.

\`\`\`js
range(3, 1)
// observed: []
// expected: [3, 2]
\`\`\`

Existing behaviour must not change.`);
});

test('the example rung says all that is known, with the statements that the input needs', () => {
  const { contract: _c, functionName: _f, ...less } = facts;
  const python: FailingExample = {
    ...example,
    setup: 'steps = Steps(3)\nsteps.skip()',
    call: 'steps.next()',
    expected: '2',
    observed: '3',
    entryPoint: 'Steps',
    module: 'pkg/steps.py',
    fence: 'python',
  };
  expect(writeStatement({ ...less, example: python, rung: 'example' })).toBe(`\`Steps\` gives a wrong result

\`Steps\` comes from \`pkg/steps.py\`. The fault is in \`lib/steps.js\`.

The last expression below gives \`3\`. It should give \`2\`.

\`\`\`python
steps = Steps(3)
steps.skip()
steps.next()
# observed: 3
# expected: 2
\`\`\`

Existing behaviour must not change.`);
  expect(writeStatement({ ...facts, rung: 'example' })).toContain('> The stop is left out.');
});

test.each<[Partial<FailingExample>, string, string, string]>([
  [
    { outcome: 'type', expected: "'a'", observed: '7' },
    'gives a result of the wrong type',
    "`range(3, 1)` gives `7`. It should give `'a'`, a string.",
    "// observed: 7\n// expected: 'a'",
  ],
  [
    { outcome: 'type', expected: '7', observed: "'7'" },
    'gives a result of the wrong type',
    "`range(3, 1)` gives `'7'`. It should give `7`, not a string.",
    "// observed: '7'\n// expected: 7",
  ],
  [
    { outcome: 'error', observed: 'TypeError: a' },
    'fails where it should give a result',
    '`range(3, 1)` fails with `TypeError: a`. It should give `[3, 2]`.',
    '// observed: fails: TypeError: a\n// expected: [3, 2]',
  ],
  [
    { outcome: 'no-error', expected: 'RangeError', observed: undefined },
    'accepts what it should refuse',
    '`range(3, 1)` runs without an error. It should fail with an error that fits `RangeError`.',
    '// observed: no error\n// expected: fails: RangeError',
  ],
  [
    { outcome: 'no-error', expected: 'an error', observed: undefined },
    'accepts what it should refuse',
    '`range(3, 1)` runs without an error. It should fail with an error.',
    '// observed: no error\n// expected: an error',
  ],
  [
    { outcome: 'other-error', expected: '/stop/', observed: 'TypeError: a' },
    'fails with the wrong error',
    '`range(3, 1)` fails with `TypeError: a`. It should fail with an error that fits `/stop/`.',
    '// observed: fails: TypeError: a\n// expected: fails: /stop/',
  ],
  [
    { outcome: 'hang', observed: undefined },
    'does not finish',
    '`range(3, 1)` does not finish. It should give `[3, 2]`.',
    '// observed: no end\n// expected: [3, 2]',
  ],
])('the outcome of %o has its own words', (change, title, symptom, remarks) => {
  const { observed: _, ...rest } = example;
  const changed = { ...rest, observed: '[]', ...change } as FailingExample;
  const statement = writeStatement({ ...facts, example: changed, rung: 'function' });
  expect(statement).toBe(
    `\`range\` ${title}\n\nThe fault is in \`Steps.next\` of \`lib/steps.js\`.\n\n${symptom}\n\n\`\`\`js\nrange(3, 1)\n${remarks}\n\`\`\`\n\nExisting behaviour must not change.`,
  );
  expect(lintDeterminacy({ statement, example: changed })).toEqual([]);
});

test('long and many-lined values stand in the code alone, and back quotes do not end it', () => {
  const changed = { ...example, observed: '{\n  a: 1\n}', expected: `\`${'x'.repeat(70)}\`` };
  const statement = writeStatement({ ...facts, example: changed, rung: 'function' });
  expect(statement).toContain('gives another value. It should give the expected value below.');
  expect(statement).toContain('// observed: {\n//     a: 1\n//   }\n// expected: `xxx');
  expect(lintDeterminacy({ statement, example: changed })).toEqual([]);
  const fences = { ...example, call: "fence('```')" };
  expect(writeStatement({ ...facts, example: fences, rung: 'function' })).toContain("````fence('```')```` gives");
  expect(writeStatement({ ...facts, example: fences, rung: 'function' })).toContain('````js\n');
});

test('a printed value is cut to 300 characters and splits none', () => {
  const statement = writeStatement({ ...facts, example: { ...example, observed: '😀'.repeat(301) }, rung: 'function' });
  expect(statement).toContain(`// observed: ${'😀'.repeat(299)}…\n`);
});

test('only rungs whose facts are there can be written', () => {
  const { contract: _c, functionName: _f, example: _e, ...old } = facts;
  const all = ['symptom', 'contract', 'file', 'function', 'example', 'region', 'line', 'quoted-line'];
  expect(availableRungs(facts)).toEqual(all);
  expect(availableRungs({ ...old, example })).toEqual(all.filter((rung) => rung !== 'contract' && rung !== 'function'));
  expect(availableRungs(old)).toEqual(['symptom', 'file', 'region', 'line', 'quoted-line']);
  const { expected: _x, observed: _o, ...silent } = old;
  expect(availableRungs(silent)).toEqual([]);
  for (const rung of ['contract', 'function', 'example'] as const)
    expect(() => writeStatement({ ...old, rung })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

test('a statement that leaves out the entry point, the input or a value does not determine what is tested', () => {
  expect(lintDeterminacy({ statement: 'range(3, 1) gives [] and should give [3,2]', example })).toEqual([]);
  expect(lintDeterminacy({ statement: 'It gives a wrong list.', example })).toEqual([
    'the entry point',
    'the input',
    'the expected value',
    'the observed value',
  ]);
  expect(lintDeterminacy({ statement: 'range(3, 1) gives []', example })).toEqual(['the expected value']);
  expect(lintDeterminacy({ statement: 'anything', example: undefined })).toEqual(['an example']);
});
