import type { Node } from '@vscode/tree-sitter-wasm';
import type { ExampleCandidate } from './failing-example.js';
import { declaredBy, dedented, descendantsOf, namesIn } from './syntax.js';
import type { TestAssertion, TestCase, TestImport, TestReader } from './test-file.js';

/** Longest parts of an example, in UTF-16 units. Longer ones are not read: nobody would put them into an issue. */
const longest = { setup: 1500, call: 400, expected: 400 };
const mostStatements = 40;

/** A test with what its names mean. */
export interface TestScope {
  readonly test: TestCase;
  readonly imports: readonly TestImport[];
  readonly locals: ReadonlySet<string>;
  readonly framework: ReadonlySet<string>;
  /** The package's module that a specifier means; `null` for others. */
  readonly resolve: (specifier: string) => string | null;
}

/** Reads the names that a test can see. */
export function scopeOf(options: { reader: TestReader; test: TestCase; resolve: TestScope['resolve'] }): TestScope {
  const { reader, test, resolve } = options;
  const statements = [...test.around.flat(), ...test.body];
  const imports = reader.imports(statements);
  const bound = new Set(imports.flatMap(({ names }) => names.map(({ local }) => local)));
  const locals = new Set(statements.flatMap((statement) => [...declaredBy(statement)]).filter((name) => !bound.has(name)));
  const framework = new Set([
    ...reader.globals.filter((name) => !locals.has(name) && !bound.has(name)),
    ...imports.filter(({ specifier }) => reader.frameworks.test(specifier)).flatMap(({ names }) => names.map(({ local }) => local)),
    ...test.given,
  ]);
  return { test, imports, locals, framework, resolve };
}

/**
 * Cuts an assertion out of its test: the statements that its call and its expected value need, and the imports.
 * @returns `null` when it needs the framework, a helper that only the tests have, or too much code, or when no public name
 * of the package stands in it.
 */
export function sliceExample(options: { reader: TestReader; scope: TestScope; assertion: TestAssertion }): ExampleCandidate | null {
  const { reader, scope } = options;
  const { resolve, framework } = scope;
  const isSwapped = options.assertion.kind === 'value' && isExpectedFirst(options.assertion, scope);
  const ordered = isSwapped ? swapped(options.assertion) : options.assertion;
  const assertion = withClosedExpected(ordered, scope);
  const checked = neededStatements({ reader, scope, assertion: ordered });
  const setup = assertion === null ? null : neededStatements({ reader, scope, assertion });
  if (assertion === null || setup === null || checked === null) return null;
  const needed = [...setup, assertion.callNode, ...(assertion.expectedNode === undefined ? [] : [assertion.expectedNode])];
  const used = new Set(needed.flatMap((node) => [...namesIn(node)]));
  if ([...used].some((name) => framework.has(name))) return null;
  const imported = scope.imports.filter(({ names }) => names.some(({ local }) => used.has(local)));
  const libraries = imported.filter(({ specifier }) => resolve(specifier) === null);
  if (!libraries.every(({ specifier }) => reader.isLibrary(specifier))) return null;
  const entry = entryPointOf({ scope, nodes: [assertion.callNode, ...[...setup].reverse()] });
  const texts = [...setup, ...libraries.map(({ statement }) => statement)].map(dedented);
  const [call, expected] = [moved(assertion.call, assertion.callNode), moved(assertion.expected, assertion.expectedNode)];
  if (entry === null || call === null || expected === null || texts.includes(null)) return null;
  const lines = texts.slice(0, setup.length).join('\n');
  const ran = checked.map(dedented);
  const shown = [...new Set(texts.slice(setup.length)), ...(lines === '' ? [] : [lines])].join('\n');
  if (ran.includes(null) || shown.length > longest.setup || call.length > longest.call || expected.length > longest.expected) return null;
  const mentioned = namesIn(assertion.statement);
  const statements = scope.imports.filter(({ names }) => names.some(({ local }) => used.has(local) || mentioned.has(local)));
  const parameter = scope.test.given[0];
  return {
    // An object at the beginning of a statement would be read as a block.
    example: {
      setup: shown,
      call: call.startsWith('{') && reader.fence === 'js' ? `(${call})` : call,
      expected,
      ...entry,
      fence: reader.fence,
    },
    kind: assertion.kind,
    isBoolean: assertion.isBoolean ?? false,
    isSwapped,
    imports: [...new Set(statements.map(({ statement }) => statement.text))],
    setup: ran.join('\n'),
    check: assertion.check ?? dedented(assertion.statement) ?? assertion.statement.text,
    isOwnCheck: assertion.check === undefined,
    ...(parameter === undefined ? {} : { parameter }),
    isEsModule: scope.imports.some(({ statement }) => statement.type === 'import_statement'),
  };
}

/**
 * Statements of the test before the assertion that mention what it needs, and declarations around the test; in order.
 * @returns `null` for more than {@link mostStatements}.
 */
function neededStatements(options: { reader: TestReader; scope: TestScope; assertion: TestAssertion }): Node[] | null {
  const { reader, scope, assertion } = options;
  const { test, locals, framework } = scope;
  const before = test.body.filter(({ endIndex }) => endIndex <= assertion.statement.startIndex);
  const own = before.filter((statement) => reader.assertion(statement, framework) === null);
  const left = [
    ...own.map((statement) => ({ statement, names: new Set([...namesIn(statement), ...declaredBy(statement)]) })),
    ...test.around.flat().map((statement) => ({ statement, names: declaredBy(statement) })),
  ];
  const roots = [assertion.callNode, ...(assertion.expectedNode === undefined ? [] : [assertion.expectedNode])];
  const needs = new Set(roots.flatMap((node) => [...namesIn(node)]).filter((name) => locals.has(name)));
  const found = new Map<number, Node>();
  for (let size = -1; size !== found.size && found.size <= mostStatements; ) {
    size = found.size;
    for (const { statement, names } of left) {
      if (found.has(statement.id) || ![...names].some((name) => needs.has(name))) continue;
      found.set(statement.id, statement);
      for (const name of namesIn(statement)) if (locals.has(name)) needs.add(name);
    }
  }
  return found.size > mostStatements ? null : [...found.values()].sort((first, second) => first.startIndex - second.startIndex);
}

/** Some tests give the expected value first; it is then the only one without a name of the test or the package. */
function isExpectedFirst({ callNode, expectedNode }: TestAssertion, scope: TestScope): boolean {
  if (expectedNode === undefined) return false;
  const isTested = (node: Node) => [...namesIn(node)].some((name) => scope.locals.has(name) || moduleOf(scope, name) !== null);
  return isTested(expectedNode) && !isTested(callNode);
}

/** With the expected value as code that needs nothing else, also where the test gave it a name; `null` for one that is computed. */
function withClosedExpected(assertion: TestAssertion, scope: TestScope): TestAssertion | null {
  const { expectedNode, kind } = assertion;
  const isOpen = (node: Node) => [...namesIn(node)].some((name) => scope.locals.has(name) || moduleOf(scope, name) !== null);
  if (expectedNode === undefined || kind === 'throws' || !isOpen(expectedNode)) return assertion;
  const statements = [...scope.test.around.flat(), ...scope.test.body];
  const declared = statements.filter((statement) => declaredBy(statement).has(expectedNode.text));
  const bindings = declared.flatMap((statement) => descendantsOf(statement, ['variable_declarator', 'assignment']));
  const values = bindings.flatMap((binding) => {
    const name = binding.childForFieldName('name') ?? binding.childForFieldName('left');
    const value = binding.childForFieldName('value') ?? binding.childForFieldName('right');
    return name?.text === expectedNode.text && value !== null ? [value] : [];
  });
  const [value] = values;
  return value === undefined || values.length > 1 || isOpen(value) ? null : { ...assertion, expected: value.text, expectedNode: value };
}

function swapped(assertion: TestAssertion): TestAssertion {
  const { call, callNode, expected, expectedNode } = assertion;
  return { ...assertion, call: expected, callNode: expectedNode ?? callNode, expected: call, expectedNode: callNode };
}

function moduleOf({ imports, resolve }: TestScope, name: string) {
  for (const { names, specifier } of imports) {
    const binding = names.find(({ local }) => local === name);
    const module = binding === undefined ? null : resolve(specifier);
    if (binding !== undefined && module !== null) return { ...binding, module };
  }
  return null;
}

/** The public name of the package that is nearest to the call; `null` when there is none, or the test calls it by another name. */
function entryPointOf(options: {
  scope: TestScope;
  nodes: readonly Node[];
}): Pick<ExampleCandidate['example'], 'entryPoint' | 'module' | 'moduleName'> | null {
  const { scope, nodes } = options;
  for (const node of nodes.flatMap((part) => descendantsOf(part, ['identifier']))) {
    const binding = moduleOf(scope, node.text);
    if (binding === null) continue;
    const { local, imported, module } = binding;
    const parent = node.parent;
    const member = imported === null && parent?.childForFieldName('object')?.id === node.id ? parent : null;
    const property = (member?.childForFieldName('property') ?? member?.childForFieldName('attribute'))?.text;
    const entryPoint = property === undefined ? local : `${local}.${property}`;
    const isPublic = !/(^|\.)_/.test(entryPoint) && (imported === null || imported === local);
    return isPublic ? { entryPoint, module, ...(imported === null ? { moduleName: local } : {}) } : null;
  }
  return null;
}

/** Code of a node, or made from it, at the left margin. */
function moved(code: string, node: Node | undefined): string | null {
  if (node === undefined) return code;
  const text = dedented(node);
  return text === null ? null : code.replace(node.text, () => text);
}
