import type { Node } from '@vscode/tree-sitter-wasm';
import { childrenOf, descendantsOf, stringValue } from './syntax.js';
import type { TestAssertion, TestCase, TestImport, TestReader } from './test-file.js';

const testWords = new Set(['test', 'it', 'specify', 'describe', 'suite', 'context', 'tape']);
const equality = new Set(
  'equal equals isEqual strictEqual strictEquals is same deepEqual deepEquals deepStrictEqual isEquivalent deepLooseEqual looseEqual eql eq toBe toEqual toStrictEqual'.split(
    ' ',
  ),
);
/** Assertions whose name holds the expected value; `true` and `false` are those about truth. */
const named: Readonly<Record<string, string>> = {
  ...{ ok: 'true', true: 'true', assert: 'true', isTrue: 'true', toBeTruthy: 'true', notOk: 'false', false: 'false', isFalse: 'false' },
  ...{ toBeFalsy: 'false', toBeNull: 'null', toBeUndefined: 'undefined', toBeNaN: 'NaN', isNull: 'null', isUndefined: 'undefined' },
};
const throwing = new Set(['throws', 'throw', 'toThrow', 'toThrowError']);
/** Parents that a node may have up to its file. */
const deepest = 200;

/** Test files of node:test, tape, mocha, vitest and jest. */
export const javascriptTests: TestReader = {
  fence: 'js',
  frameworks: /^(node:)?(test|assert)(\/strict)?$|^(tape|mocha|chai|vitest|@jest\/globals|expect|sinon|should|tap|ava)$/,
  globals: [...testWords, 'expect', 'assert', 'jest', 'vi', 'beforeEach', 'afterEach', 'before', 'after', 'beforeAll', 'afterAll'],
  isLibrary: (specifier) => !/^[./]/.test(specifier),
  imports: (statements) => statements.flatMap((statement) => importOf(statement) ?? []),
  cases(root, name) {
    const calls = descendantsOf(root, ['call_expression']).flatMap((node) => {
      const call = testCall(node);
      return call !== null && (name === undefined || name.endsWith(call.name)) ? [{ node, call }] : [];
    });
    return calls.flatMap(({ node, call }) => caseOf({ root, node, call }) ?? []);
  },
  assertion(statement, framework) {
    const [expression] = statement.type === 'expression_statement' ? childrenOf(statement) : [statement];
    const call = expression?.type === 'await_expression' ? childrenOf(expression)[0] : expression;
    if (call === undefined) return null;
    return expectation(statement, call) ?? (call.type === 'call_expression' ? comparison(statement, call, framework) : null);
  },
};

function importOf(statement: Node): TestImport | null {
  if (statement.type === 'import_statement') {
    const specifier = stringValue(statement.childForFieldName('source') ?? undefined);
    const clause = childrenOf(statement).find(({ type }) => type === 'import_clause');
    if (specifier === null) return null;
    const names = childrenOf(clause ?? null).flatMap((child): TestImport['names'] => {
      if (child.type === 'identifier') return [{ local: child.text, imported: null }];
      if (child.type === 'namespace_import') return [{ local: childrenOf(child)[0]?.text ?? '', imported: null }];
      return childrenOf(child).map((item) => {
        const imported = item.childForFieldName('name')?.text ?? item.text;
        return { local: item.childForFieldName('alias')?.text ?? imported, imported };
      });
    });
    return { statement, specifier, names };
  }
  const declarators = childrenOf(statement).filter(({ type }) => type === 'variable_declarator');
  const [declarator] = declarators;
  const value = declarators.length === 1 ? declarator?.childForFieldName('value') : null;
  const pattern = declarator?.childForFieldName('name');
  const [specifier, property] = required(value ?? null);
  if (specifier === null || !pattern) return null;
  if (pattern.type === 'identifier') return { statement, specifier, names: [{ local: pattern.text, imported: property }] };
  const names = childrenOf(pattern).map((item) => {
    const imported = item.childForFieldName('key')?.text ?? item.text;
    return { local: item.childForFieldName('value')?.text ?? imported, imported };
  });
  return { statement, specifier, names };
}

/** The module of `require('x')` and the property of `require('x').y`. */
function required(value: Node | null): [string | null, string | null] {
  if (value?.type === 'member_expression') {
    const [specifier] = required(value.childForFieldName('object'));
    const property = value.childForFieldName('property')?.text ?? null;
    return [specifier, property === 'default' || property === 'strict' ? null : property];
  }
  if (value?.type !== 'call_expression' || value.childForFieldName('function')?.text !== 'require') return [null, null];
  return [stringValue(childrenOf(value.childForFieldName('arguments'))[0]), null];
}

interface TestCall {
  readonly name: string;
  readonly callback: Node;
}

function testCall(node: Node): TestCall | null {
  const callee = node.childForFieldName('function');
  const words =
    callee?.type === 'member_expression' ? [callee.childForFieldName('object'), callee.childForFieldName('property')] : [callee];
  if (!words.some((word) => word !== null && testWords.has(word.text))) return null;
  const given = childrenOf(node.childForFieldName('arguments'));
  const name = stringValue(given[0]);
  const callback = given.at(-1);
  return name !== null && callback !== undefined && isFunction(callback) ? { name, callback } : null;
}

function isFunction({ type }: Node): boolean {
  return type === 'arrow_function' || type === 'function_expression';
}

function caseOf(options: { root: Node; node: Node; call: TestCall }): TestCase | null {
  const names = [options.call.name];
  const around: Node[][] = [];
  const given = parametersOf(options.call.callback);
  let depth = 0;
  for (let at = options.node.parent; at !== null; at = at.parent) {
    if (++depth > deepest) return null;
    const outer = at.type === 'call_expression' ? testCall(at) : null;
    if (outer === null) continue;
    names.unshift(outer.name);
    around.unshift(bodyOf(outer.callback));
    given.push(...parametersOf(outer.callback));
  }
  const { callback } = options.call;
  return { name: names.join(' > '), body: bodyOf(callback), around: [childrenOf(options.root), ...around], given };
}

function parametersOf(callback: Node): string[] {
  const parameters = callback.childForFieldName('parameters') ?? callback.childForFieldName('parameter');
  return parameters === null ? [] : descendantsOf(parameters, ['identifier']).map(({ text }) => text);
}

function bodyOf(callback: Node): Node[] {
  const body = callback.childForFieldName('body');
  if (body === null) return [];
  return body.type === 'statement_block' ? childrenOf(body) : [body];
}

/** `assert.equal(actual, expected)`, `t.ok(actual)`, `assert.throws(() => call, pattern)`. */
function comparison(statement: Node, call: Node, framework: ReadonlySet<string>): TestAssertion | null {
  const callee = call.childForFieldName('function');
  const root = callee?.text.split('.')[0] ?? '';
  if (callee === null || !framework.has(root)) return null;
  const method = callee.type === 'identifier' ? 'assert' : (callee.childForFieldName('property')?.text ?? '');
  const [actual, expected] = childrenOf(call.childForFieldName('arguments'));
  return actual === undefined ? null : asserted({ statement, method, actual, expected });
}

/** `expect(actual).toBe(expected)` and chai's `expect(actual).to.deep.equal(expected)`. */
function expectation(statement: Node, node: Node): TestAssertion | null {
  const words: string[] = [];
  let at: Node | null = node.type === 'call_expression' ? node.childForFieldName('function') : node;
  const method = at?.childForFieldName('property')?.text ?? '';
  for (; at?.type === 'member_expression'; at = at.childForFieldName('object')) words.push(at.childForFieldName('property')?.text ?? '');
  if (at?.type !== 'call_expression' || at.childForFieldName('function')?.text !== 'expect') return null;
  if (words.some((word) => word === 'not' || word === 'resolves' || word === 'rejects')) return null;
  const [actual] = childrenOf(at.childForFieldName('arguments'));
  const [expected] = node.type === 'call_expression' ? childrenOf(node.childForFieldName('arguments')) : [];
  return actual === undefined ? null : asserted({ statement, method, actual, expected });
}

function asserted(options: { statement: Node; method: string; actual: Node; expected: Node | undefined }): TestAssertion | null {
  const { statement, method, actual, expected } = options;
  if (equality.has(method) && expected !== undefined)
    return {
      statement,
      kind: 'value',
      call: actual.text,
      callNode: actual,
      expected: expected.text,
      expectedNode: expected,
      isLoose: /^((deep)?(Loose)?Equal|looseEqual|isEqual)$/i.test(method),
    };
  if (throwing.has(method)) {
    const body = isFunction(actual) ? bodyOf(actual) : [];
    const run = body[0]?.type === 'expression_statement' ? childrenOf(body[0])[0] : body[0];
    if (body.length !== 1 || run === undefined || !/expression$/.test(run.type)) return null;
    const pattern = expected === undefined ? {} : { expectedNode: expected };
    return { statement, kind: 'throws', call: run.text, callNode: run, expected: expected?.text ?? 'an error', ...pattern };
  }
  const value = Object.hasOwn(named, method) ? named[method] : undefined;
  if (value === undefined) return null;
  const isBoolean = value === 'true' || value === 'false';
  const call = isBoolean && !isTruth(actual) ? `Boolean(${actual.text})` : actual.text;
  return { statement, kind: 'value', call, callNode: actual, expected: value, isBoolean };
}

/** A comparison or a negation is a boolean already. */
function isTruth(node: Node): boolean {
  const operator = node.childForFieldName('operator')?.text ?? '';
  return node.type === 'unary_expression' ? operator === '!' : /^([=!]==?|[<>]=?|in|instanceof)$/.test(operator);
}
