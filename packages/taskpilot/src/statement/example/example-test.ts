import { posix } from 'node:path';
import type { TestRunner } from '@tadpole/contracts';
import type { ExampleCandidate } from './failing-example.js';

/** Names of the tests that run a candidate, by its place in the list; see {@link exampleTestFile}. */
export function exampleTestNames(options: { runner: TestRunner; index: number }): { readonly own: string; readonly exact: string } {
  const { runner, index } = options;
  return runner === 'pytest'
    ? { own: `test_example_${index}`, exact: `test_exact_${index}` }
    : { own: `example ${index}`, exact: `exact ${index}` };
}

/**
 * A test file with two tests for each candidate: `own` is the assertion as the test has it, `exact` fails where a string,
 * number or the like is expected and the call gives what is only equal to it by conversion. It stands in the folder of the file that they were read from, so that
 * their imports mean the same.
 */
export function exampleTestFile(options: {
  runner: TestRunner;
  testFile: string;
  /** All from `testFile`, at least one. */
  candidates: readonly ExampleCandidate[];
}): { readonly file: string; readonly content: string } {
  const { runner, testFile, candidates } = options;
  const { dir, ext } = posix.parse(testFile);
  const imports = [...new Set(candidates.flatMap((candidate) => candidate.imports))];
  const named = candidates.flatMap((candidate, index) => {
    const { own, exact } = exampleTestNames({ runner, index });
    return [
      { ...candidate, name: own },
      { ...candidate, name: exact, check: exactCheck(candidate) },
    ];
  });
  if (runner === 'pytest') {
    const tests = named.map(({ name, setup, check }) => `def ${name}():\n${indented(setup === '' ? check : `${setup}\n${check}`)}\n`);
    return { file: posix.join(dir, 'test_tadpole_example.py'), content: `${imports.join('\n')}\n\n\n${tests.join('\n\n')}` };
  }
  const { head, word } = wrapperOf({ runner, isEsModule: candidates.some(({ isEsModule }) => isEsModule) });
  const takesContext = runner === 'node-test' || runner === 'tape';
  const tests = named.map(
    ({ name, setup, check, parameter = '_context' }) =>
      `${word}('${name}', async (${takesContext ? parameter : ''}) => {\n${setup}\n${check}\n});\n`,
  );
  return { file: posix.join(dir, `tadpole-example.test${ext}`), content: [head, ...imports, ...tests].join('\n') };
}

function exactCheck({ example, kind, isBoolean }: ExampleCandidate): string {
  const { call, expected, fence } = example;
  if (kind === 'throws' || isBoolean) return fence === 'python' ? 'pass' : '';
  return fence === 'python'
    ? `seen, wanted = (${call}), (${expected})\nassert not isinstance(wanted, (str, bytes, bool, int, float, type(None))) or isinstance(seen, type(wanted))`
    : `const tadpoleSeen = (${call});\nconst tadpoleWanted = (${expected});\nif (Object(tadpoleWanted) !== tadpoleWanted && !Object.is(tadpoleSeen, tadpoleWanted)) throw new Error('equal by conversion');`;
}

/** The runner's function that makes a test, under a name that no test uses. */
function wrapperOf(options: { runner: TestRunner; isEsModule: boolean }): { head: string; word: string } {
  const { runner, isEsModule } = options;
  if (runner === 'mocha') return { head: '', word: 'it' };
  if (runner === 'jest') return { head: '', word: 'test' };
  const word = 'tadpoleExample';
  if (runner === 'tape') return { head: isEsModule ? `import ${word} from 'tape';` : `const ${word} = require('tape');`, word };
  const module = runner === 'vitest' ? 'vitest' : 'node:test';
  return { head: isEsModule ? `import { test as ${word} } from '${module}';` : `const { test: ${word} } = require('${module}');`, word };
}

function indented(code: string): string {
  return code.replace(/^(?=.)/gm, '    ');
}
