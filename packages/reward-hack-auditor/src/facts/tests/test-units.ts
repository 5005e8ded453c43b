import { childOf, descendants, namedChildren, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { ancestors } from '../product/ancestors.js';

/** A test, or a function beside tests, as a tree. */
export interface TestUnit {
  /** As the runner reports it, with its class or suites: `TestLeftovers test_thirds`. */
  readonly name: string;
  readonly isTest: boolean;
  readonly node: SyntaxNode;
  readonly assertions: readonly Assertion[];
}

/** A statement that may fail a test. */
export interface Assertion {
  readonly node: SyntaxNode;
  /** Without spaces and messages' quotes: what is compared over two versions. */
  readonly form: string;
  /** 0 says nothing · 1 truth, kind, presence · 2 order, bounds, tolerance · 3 part or pattern · 5 equality, a certain error */
  readonly strength: number;
}

const scriptTests = /^(test|it|specify|xit|xtest|fit|bench)\b/;
const scriptSuites = /^(describe|suite|context|xdescribe|fdescribe)\b/;
const most = 4000;

/** Tests and functions of a file of tests, in order. */
export function testUnitsOf(options: { tree: SyntaxNode; isPython: boolean }): readonly TestUnit[] {
  const { tree, isPython } = options;
  const units: TestUnit[] = [];
  const all = assertionsOf(tree, isPython).slice(0, most);
  const within = (unit: SyntaxNode) => all.filter(({ node }) => unit.start <= node.start && node.end <= unit.end);
  for (const node of descendants(tree)) {
    if (units.length >= most) break;
    const unit = isPython ? pythonUnit(node, within) : scriptUnit(node, within);
    if (unit !== undefined) units.push(unit);
  }
  return units;
}

type Within = (unit: SyntaxNode) => readonly Assertion[];

function pythonUnit(node: SyntaxNode, within: Within): TestUnit | undefined {
  if (node.type !== 'function_definition') return undefined;
  const own = childOf(node, 'name')?.text ?? '';
  const names = [own];
  for (const at of ancestors(node)) if (at.type === 'class_definition') names.unshift(childOf(at, 'name')?.text ?? '');
  const whole = node.parent?.type === 'decorated_definition' ? node.parent : node;
  return { name: names.join(' '), isTest: /^test/.test(own), node: whole, assertions: within(whole) };
}

function scriptUnit(node: SyntaxNode, within: Within): TestUnit | undefined {
  if (node.type === 'call_expression' && node.parent?.type !== 'member_expression' && node.field !== 'function') {
    const callee = childOf(node, 'function')?.text ?? '';
    const isTest = scriptTests.test(callee) || /^(\w+\.)?(test|it)(\.\w+)*$/.test(callee.slice(0, 40));
    const first = namedChildren(childOf(node, 'arguments') ?? node)[0];
    if (isTest && first !== undefined && /string/.test(first.type)) {
      return { name: [...suitesOf(node), plain(first.text)].join(' '), isTest: true, node, assertions: within(node) };
    }
    return undefined;
  }
  const name = /^(function_declaration|method_definition)$/.test(node.type) ? childOf(node, 'name')?.text : arrowName(node);
  return name === undefined ? undefined : { name, isTest: false, node, assertions: within(node) };
}

function arrowName(node: SyntaxNode): string | undefined {
  const value = node.type === 'variable_declarator' ? childOf(node, 'value') : undefined;
  return value && /^(arrow_function|function_expression)$/.test(value.type) ? childOf(node, 'name')?.text : undefined;
}

function suitesOf(node: SyntaxNode): readonly string[] {
  const names: string[] = [];
  for (const at of ancestors(node)) {
    const callee = at.type === 'call_expression' ? (childOf(at, 'function')?.text ?? '') : '';
    const first = namedChildren(childOf(at, 'arguments') ?? at)[0];
    if (scriptSuites.test(callee) && first !== undefined) names.unshift(plain(first.text));
  }
  return names;
}

function plain(text: string): string {
  return text.replace(/^['"`]|['"`]$/g, '');
}

const assertionStart =
  /^(await )?((self\.)?assert|expect|assert|t\.(is|not|assert|true|false|deep|throws|like|ok|equal|same|match|rejects)|\w*\.should\b|should\b|(check|verify|ensure|require|must)[A-Z_(]|chai\.|sinon\.assert|\w+\.assert|np\.testing|numpy\.testing|pytest\.(raises|fail|warns)|throw |raise |raise$|tap\.|cy\.)/;

function assertionsOf(unit: SyntaxNode, isPython: boolean): readonly Assertion[] {
  const found: Assertion[] = [];
  for (const node of descendants(unit)) {
    const isStatement = isPython
      ? /^(assert_statement|expression_statement|raise_statement|with_item)$/.test(node.type)
      : /^(expression_statement|throw_statement|return_statement)$/.test(node.type) ||
        (node.parent?.type === 'arrow_function' && node.field === 'body');
    if (!isStatement || node.type === 'statement_block') continue;
    const text = node.text.replace(/^return\s+/, '');
    if (!assertionStart.test(text.slice(0, 60))) continue;
    found.push({ node, form: formOf(node.text), strength: strengthOf(text) });
  }
  return found;
}

/** A statement's text without spaces, quotes' kind and final marks, so that a formatter changes nothing. */
export function formOf(text: string): string {
  return wholeForm(text.slice(0, 8000)).slice(0, 4000);
}

/** {@link formOf} a whole file. */
export function wholeForm(text: string): string {
  return text
    .replace(/\s+|;$/g, '')
    .replace(/['`]/g, '"')
    .replace(/,(?=[)\]}])/g, '');
}

function strengthOf(text: string): number {
  const compact = text.replace(/\s+/g, ' ').slice(0, 4000);
  if (
    /^assert (True|1|not False|not None|"[^"]*"|'[^']*')( *,.*)?$|^assert (?<same>\w+) == \k<same>$|expect\((true|1|!0)\)\.(toBe|toEqual)\((true|1|!0)\)|^assert(\.ok)?\((true|1)\)|assertTrue\(True\)/.test(
      compact,
    )
  )
    return 0;
  if (/raises|[tT]hrow|rejects|assertRaises|warns/.test(compact) && !/[nN]ot\.?(_?[tT]o)?[tT]hrow|doesNot|isinstance/.test(compact))
    return /raises\((Base)?Exception\)|toThrow\(\)|throws\([^,]*\)$/.test(compact) ? 4 : 5;
  if (
    /approx|CloseTo|closeTo|isclose|AlmostEqual|assert_allclose|math\.abs|\babs\(|GreaterThan|LessThan|assertGreater|assertLess|[^=!<>-](<|>|<=|>=)[^=>]/.test(
      compact,
    ) &&
    !/=>/.test(compact.replace(/\(\) =>/g, ''))
  )
    return 2;
  if (
    /isinstance|is not None|typeof|toBeDefined|toBeTruthy|toBeInstanceOf|toBeTypeOf|assertIsNotNone|assertTrue|assertIsInstance|not\.toBe|notEqual|assertNotEqual|doesNotThrow|not\.toThrow|assert\.ok|assert\(|!=|toBeFalsy|expect\.any/.test(
      compact,
    ) &&
    !/===|==[^=]/.test(compact)
  )
    return 1;
  if (
    /toContain|toMatch|includes|Containing|\bin\b|assertIn\b|assertRegex|assert\.match|startswith|endswith|toHaveLength|len\(|\.length|sorted\(|set\(|Counter\(|toHaveProperty|lower\(|\.strip\(/.test(
      compact,
    )
  )
    return 3;
  return 5;
}

/** Literals in a statement, by their text. */
export function literalsIn(node: SyntaxNode): readonly string[] {
  return nodesOf(node, 'string', 'integer', 'float', 'number', 'true', 'false', 'none', 'null', 'template_string').map(({ text }) =>
    formOf(text),
  );
}
