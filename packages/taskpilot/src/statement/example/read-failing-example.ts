import type { Snapshot, TestResult } from '@tadpole/contracts';
import type { Node } from '@vscode/tree-sitter-wasm';
import type { ExampleCandidate } from './failing-example.js';
import { javascriptTests } from './javascript-tests.js';
import { parseSource } from './parse-source.js';
import { pythonTests } from './python-tests.js';
import { createModuleResolver } from './resolve-module.js';
import { scopeOf, sliceExample } from './slice-example.js';
import { descendantsOf, namesIn } from './syntax.js';
import type { TestAssertion } from './test-file.js';

/** A failing test of a snapshot, with what it printed. */
export interface FailingTest {
  readonly snapshot: Pick<Snapshot, 'source' | 'sourceFiles'>;
  /** Path of the test file. */
  readonly file: string;
  readonly text: string;
  readonly test: Pick<TestResult, 'name' | 'expected' | 'observed'>;
}

/**
 * The failing input of a test and its expected value, read from the test's syntax tree: JavaScript and TypeScript for
 * node:test, tape, mocha, vitest and jest, Python for pytest.
 *
 * @returns `null` when it cannot be told with certainty: the test is not found or not alone under its name, more than one
 * of its assertions may have failed by what was printed, an assertion stands in a loop or a callback, the call needs more than
 * 1,500 characters or code that only tests have, or its entry point is no public name.
 */
export async function readFailingExample(options: FailingTest): Promise<ExampleCandidate['example'] | null> {
  const { candidates, isCertain } = await readExampleCandidates(options);
  return isCertain ? (candidates[0]?.example ?? null) : null;
}

/** Every assertion that may have failed, in the test's order; running them tells which did. `isCertain` when none is left out and one remains. */
export async function readExampleCandidates(
  options: FailingTest,
): Promise<{ candidates: readonly ExampleCandidate[]; isCertain: boolean }> {
  const { snapshot, file, text, test } = options;
  const resolve = createModuleResolver({ snapshot, testFile: file });
  const read = await parseSource({
    file,
    text,
    read(root, language) {
      const reader = language === 'python' ? pythonTests : javascriptTests;
      const [found, ...others] = reader.cases(root, test.name).filter(({ name }) => name === test.name);
      if (found === undefined || others.length > 0) return null;
      const scope = scopeOf({ reader, test: found, resolve });
      const read = found.body.map((statement) => ({ statement, assertion: reader.assertion(statement, scope.framework) }));
      const possible = read
        .flatMap(({ assertion }) => (assertion === null ? [] : [assertion]))
        .filter((assertion) => mayHaveFailed(assertion, test));
      const isUnderstood = read.every(
        ({ statement, assertion }) =>
          assertion !== null || bookkeeping.test(statement.text) || !mayAssert({ statement, framework: scope.framework }),
      );
      const candidates = possible.slice(0, mostAssertions).flatMap((assertion) => sliceExample({ reader, scope, assertion }) ?? []);
      return { candidates, isCertain: isUnderstood && possible.length === 1 && candidates.length === 1 };
    },
  });
  return read ?? { candidates: [], isCertain: false };
}

/** Assertions of one test that are looked at. */
const mostAssertions = 32;

/** Calls by which a test of tape says when it ends. */
const bookkeeping = /^\w+\.(plan|end|comment)\([^()]*\);?$/;

function mayAssert({ statement, framework }: { statement: Node; framework: ReadonlySet<string> }): boolean {
  return descendantsOf(statement, ['assert_statement']).length > 0 || [...namesIn(statement)].some((name) => framework.has(name));
}

/** False for a literal that differs from what the runner printed as expected (or as seen, since some tests give it first). */
function mayHaveFailed(assertion: TestAssertion, { expected, observed }: FailingTest['test']): boolean {
  if (expected === undefined || observed === undefined) return true;
  if (assertion.kind === 'throws') return /^undefined$|Error/.test(observed);
  const literals = [assertion.expected, assertion.call].map(plainValue).filter((value) => value !== null);
  const printed = [expected, observed].map((value) => plainValue(value) ?? value);
  return literals.length === 0 || literals.some((value) => printed.includes(value));
}

/** A number, a name of a constant or a string without escapes, in one spelling for code and for what runners print. */
function plainValue(code: string): string | null {
  const string = /^(['"`])([^\\'"`]*)\1$/.exec(code);
  if (string !== null) return string[2] ?? '';
  if (code.trim() !== '' && Number.isFinite(Number(code))) return String(Number(code));
  return /^(true|false|null|undefined|NaN|True|False|None)$/.test(code) ? code : null;
}
