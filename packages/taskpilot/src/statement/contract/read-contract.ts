import type { Snapshot } from '@tadpole/contracts';
import type { FailingExample } from '../example/failing-example.js';
import { javascriptTests } from '../example/javascript-tests.js';
import { parseSource } from '../example/parse-source.js';
import { pythonTests } from '../example/python-tests.js';
import { createModuleResolver } from '../example/resolve-module.js';
import { scopeOf, sliceExample } from '../example/slice-example.js';
import { type NamedFunction, namedFunctions } from './named-functions.js';

/** What an entry point owes, without its body. At least one of `doc` and `examples` says something. */
export interface Contract {
  /** Name, parameters and, where the source says it, the type of the result. */
  readonly signature?: string;
  readonly doc?: string;
  /** Assertions of passing tests: code and the value that it gives. At most three, none when there is a `doc`. */
  readonly examples: readonly { readonly input: string; readonly value: string }[];
}

const mostExamples = 3;
/** Tests and assertions of each that are looked at. */
const [mostTests, mostAssertions] = [50, 20];
/** Longest input and value of an example, in UTF-16 units. */
const longestExample = 80;

/**
 * Reads the behavioural contract of an example's entry point: its signature and doc comment (JSDoc, comments right above, a
 * Python docstring), else what passing tests of the same file say about it.
 *
 * @returns `null` when the sources and the tests say nothing.
 */
export async function readContract(options: {
  example: Pick<FailingExample, 'entryPoint' | 'moduleName' | 'call'>;
  /** Sources that may define it, the likeliest first. */
  sources: readonly { readonly file: string; readonly text: string }[];
  snapshot: Pick<Snapshot, 'source' | 'sourceFiles'>;
  testFile: { readonly file: string; readonly text: string };
  /** Names of tests of that file that pass with and without the fix. */
  passing: ReadonlySet<string>;
}): Promise<Contract | null> {
  const definition = await findDefinition(options);
  const stated =
    definition === null ? {} : { signature: definition.signature, ...(definition.doc === undefined ? {} : { doc: definition.doc }) };
  const examples = definition?.doc === undefined ? await passingExamples(options) : [];
  return definition?.doc === undefined && examples.length === 0 ? null : { ...stated, examples };
}

async function findDefinition({ example, sources }: Parameters<typeof readContract>[0]): Promise<NamedFunction | null> {
  const { entryPoint, moduleName } = example;
  for (const { file, text } of sources) {
    const exported = /(?:module\.exports\s*=|export\s+default)\s*(?:async\s+)?(?:function\s*\*?\s*|class\s+)?([A-Za-z_$][\w$]*)/.exec(
      text,
    )?.[1];
    const name = entryPoint === moduleName ? exported : entryPoint.split('.').at(-1);
    const found = await parseSource({
      file,
      text,
      read(root) {
        const named = namedFunctions(root).filter((item) => item.isOuter && item.owner === undefined && item.name === name);
        return named.length === 1 ? (named[0] ?? null) : null;
      },
    });
    if (found !== null) return found;
  }
  return null;
}

async function passingExamples(options: Parameters<typeof readContract>[0]): Promise<Contract['examples']> {
  const { example, snapshot, testFile, passing } = options;
  const resolve = createModuleResolver({ snapshot, testFile: testFile.file });
  const found = await parseSource({
    ...testFile,
    read(root, language) {
      const reader = language === 'python' ? pythonTests : javascriptTests;
      const cases = reader
        .cases(root)
        .filter(({ name }) => passing.has(name))
        .slice(0, mostTests);
      return cases.flatMap((test) => {
        const scope = scopeOf({ reader, test, resolve });
        const assertions = test.body.slice(0, mostAssertions).flatMap((statement) => reader.assertion(statement, scope.framework) ?? []);
        return assertions.flatMap((assertion) => {
          const isOfTape = test.given.some((name) => assertion.statement.text.startsWith(`${name}.`));
          const isExact = assertion.kind === 'value' && (assertion.isLoose !== true || isOfTape);
          const candidate = isExact ? sliceExample({ reader, scope, assertion }) : null;
          return candidate === null ? [] : [candidate.example];
        });
      });
    },
  });
  const usable = (found ?? []).filter(
    ({ entryPoint, call, expected, setup }) =>
      entryPoint === example.entryPoint &&
      call !== example.call &&
      setup === '' &&
      !/\n/.test(call + expected) &&
      call.length + expected.length <= 2 * longestExample,
  );
  const byInput = new Map(usable.map(({ call, expected }) => [call, { input: call, value: expected }]));
  return [...byInput.values()].slice(0, mostExamples);
}
