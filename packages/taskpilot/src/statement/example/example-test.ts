import { posix } from 'node:path';
import type { TestRunner } from '@tadpole/contracts';
import type { ExampleCandidate } from './failing-example.js';

/** Name of the test that runs a candidate, by its place in the list. */
export function exampleTestName(options: { runner: TestRunner; index: number }): string {
  return options.runner === 'pytest' ? `test_example_${options.index}` : `example ${options.index}`;
}

/**
 * A test file with one test for each candidate. It stands in the folder of the file that they were read from, so that
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
  const named = candidates.map((candidate, index) => ({ ...candidate, name: exampleTestName({ runner, index }) }));
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
