import type { Node } from '@vscode/tree-sitter-wasm';
import { childrenOf, descendantsOf } from './syntax.js';
import type { TestAssertion, TestCase, TestImport, TestReader } from './test-file.js';

/** Modules of Python that examples import; any other absolute name may be a helper of the tests. */
const standardModules = new Set(
  'abc array bisect collections contextlib copy dataclasses datetime decimal enum fractions functools heapq io itertools json math numbers operator os pathlib pickle random re statistics string sys textwrap time types typing uuid warnings'.split(
    ' ',
  ),
);

/** Test files of pytest, `unittest` classes among them. */
export const pythonTests: TestReader = {
  fence: 'python',
  frameworks: /^(pytest|unittest|mock|nose|hypothesis)(\.|$)/,
  globals: ['self', 'pytest', 'unittest'],
  isLibrary: (specifier) => standardModules.has(specifier.split('.')[0] ?? ''),
  imports: (statements) => statements.flatMap(importsOf),
  cases(root, name) {
    const last = name?.split('::').at(-1);
    const functions = descendantsOf(root, ['function_definition']).filter((node) => {
      const own = node.childForFieldName('name')?.text ?? '';
      return own.startsWith('test') && (last === undefined || own === last);
    });
    return functions.flatMap((node) => caseOf(root, node) ?? []);
  },
  assertion(statement) {
    if (statement.type === 'assert_statement') return plainAssertion(statement);
    return statement.type === 'with_statement' ? raises(statement) : methodAssertion(statement);
  },
};

function importsOf(statement: Node): TestImport[] {
  const module = statement.childForFieldName('module_name');
  const isFrom = statement.type === 'import_from_statement';
  if (!isFrom && statement.type !== 'import_statement') return [];
  const items = childrenOf(statement).filter(({ id }) => id !== module?.id);
  return items.flatMap((item): TestImport[] => {
    const imported = item.childForFieldName('name')?.text ?? item.text;
    const alias = item.childForFieldName('alias')?.text;
    if (isFrom) return [{ statement, specifier: module?.text ?? '', names: [{ local: alias ?? imported, imported }] }];
    return [{ statement, specifier: imported, names: [{ local: alias ?? imported.split('.')[0] ?? imported, imported: null }] }];
  });
}

/** A test of the file or of a class in it; those inside functions are not collected, and decorated ones may be called differently. */
function caseOf(root: Node, node: Node): TestCase | null {
  const holder = node.parent?.parent;
  const isInClass = node.parent?.type === 'block' && holder?.type === 'class_definition' && holder.parent?.id === root.id;
  if (node.parent?.id !== root.id && !isInClass) return null;
  const own = node.childForFieldName('name')?.text ?? '';
  const parameters = node.childForFieldName('parameters');
  const given = parameters === null ? [] : descendantsOf(parameters, ['identifier']).map(({ text }) => text);
  const name = isInClass ? `${holder?.childForFieldName('name')?.text}::${own}` : own;
  return { name, body: childrenOf(node.childForFieldName('body')), around: [childrenOf(root)], given };
}

function plainAssertion(statement: Node): TestAssertion | null {
  const [test] = childrenOf(statement);
  if (test === undefined) return null;
  const operands = childrenOf(test);
  const [left, right] = operands;
  const isEquality = test.type === 'comparison_operator' && operands.length === 2 && test.children.some((child) => child?.type === '==');
  if (isEquality && left !== undefined && right !== undefined)
    return { statement, kind: 'value', call: left.text, callNode: left, expected: right.text, expectedNode: right };
  return truth({ statement, test });
}

/** What is no comparison by `==` is asserted to be true, or with `not` to be false. */
function truth(options: { statement: Node; test: Node; isFalse?: boolean; check?: string }): TestAssertion {
  const { statement, test, isFalse = false, check } = options;
  const inner = test.type === 'not_operator' ? test.childForFieldName('argument') : null;
  if (inner !== null) return truth({ ...options, test: inner, isFalse: !isFalse });
  const call = test.type === 'comparison_operator' ? test.text : `bool(${test.text})`;
  const expected = isFalse ? 'False' : 'True';
  return { statement, kind: 'value', call, callNode: test, expected, isBoolean: true, ...(check === undefined ? {} : { check }) };
}

/** `with pytest.raises(Error): call` and `with self.assertRaises(Error): call`. */
function raises(statement: Node): TestAssertion | null {
  const [clause] = childrenOf(statement);
  const context = childrenOf(childrenOf(clause ?? null)[0] ?? null)[0];
  const body = childrenOf(statement.childForFieldName('body'));
  const run = body[0]?.type === 'expression_statement' ? childrenOf(body[0])[0] : undefined;
  if (context?.type !== 'call' || !/(^|\.)(raises|assertRaises)$/.test(context.childForFieldName('function')?.text ?? '')) return null;
  const [expected] = childrenOf(context.childForFieldName('arguments'));
  if (body.length !== 1 || run === undefined || run.type === 'assignment' || expected === undefined) return null;
  const isOwn = context.text.startsWith('pytest.');
  const check = isOwn ? {} : { check: `with __import__('pytest').raises(${expected.text}):\n    ${run.text}` };
  return { statement, kind: 'throws', call: run.text, callNode: run, expected: expected.text, expectedNode: expected, ...check };
}

/** `self.assertEqual(actual, expected)` and its like; pytest prints both values only for its own form. */
function methodAssertion(statement: Node): TestAssertion | null {
  const call = statement.type === 'expression_statement' ? childrenOf(statement)[0] : undefined;
  const method = /^self\.(assert\w+)$/.exec(call?.childForFieldName('function')?.text ?? '')?.[1];
  const [actual, expected] = childrenOf(call?.childForFieldName('arguments') ?? null);
  if (method === undefined || actual === undefined) return null;
  if (/^assert(List|Dict|Tuple|Set)?Equals?$/.test(method) && expected !== undefined) {
    const check = `assert ${actual.text} == ${expected.text}`;
    return { statement, kind: 'value', call: actual.text, callNode: actual, expected: expected.text, expectedNode: expected, check };
  }
  if (method === 'assertTrue') return truth({ statement, test: actual, check: `assert ${actual.text}` });
  return method === 'assertFalse' ? truth({ statement, test: actual, isFalse: true, check: `assert not (${actual.text})` }) : null;
}
