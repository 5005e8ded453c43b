import { parseSource } from '../../parse/load-parsers.js';
import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';

/** A literal of a test that may be changed to ask for something else. */
export interface TestLiteral {
  readonly kind: 'number' | 'string' | 'list' | 'truth' | 'callback';
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Source of a list's members. */
  readonly members: readonly string[];
}

/** A part of a test file that runs by itself: a test, or what all of them share. */
export interface TestUnit {
  readonly start: number;
  readonly end: number;
  /** Name of the test function, class or title; `undefined` for what is shared. */
  readonly name: string | undefined;
  readonly literals: readonly TestLiteral[];
}

/** The units of a test file with the literals that are inputs: not titles, not what is expected, not names of modules. */
export function findTestUnits(options: { path: string; text: string }): readonly TestUnit[] {
  const { path, text } = options;
  const isPython = path.endsWith('.py');
  const tree = parseSource({ language: isPython ? 'python' : /x$/.test(path) ? 'tsx' : 'typescript', text });
  return namedChildren(tree)
    .filter(({ type }) => !/import|comment/.test(type))
    .map((node) => ({
      start: node.start,
      end: node.end,
      name: isPython ? pythonName(node) : scriptName(node),
      literals: literalsOf(node, isPython),
    }));
}

function pythonName(node: SyntaxNode): string | undefined {
  const definition = node.type === 'decorated_definition' ? childOf(node, 'definition') : node;
  const name = childOf(definition, 'name')?.text;
  return /_definition$/.test(definition?.type ?? '') && /^test|^Test|Tests?$|TestCase/.test(name ?? '') ? name : undefined;
}

function scriptName(node: SyntaxNode): string | undefined {
  const call = node.type === 'expression_statement' ? namedChildren(node)[0] : undefined;
  const name = call?.type === 'call_expression' ? childOf(call, 'function')?.text : undefined;
  if (call === undefined || !/^(test|it|describe|suite|context)\b/.test(name ?? '')) return undefined;
  return namedChildren(childOf(call, 'arguments') ?? call)[0]?.text.slice(1, -1) ?? name;
}

const kinds: Readonly<Record<string, TestLiteral['kind']>> = {
  ...{ integer: 'number', float: 'number', number: 'number', string: 'string', list: 'list', array: 'list' },
  ...{ true: 'truth', false: 'truth' },
};

function literalsOf(node: SyntaxNode, isPython: boolean): TestLiteral[] {
  const skipped = new Set<SyntaxNode>();
  const found: TestLiteral[] = [];
  for (const item of descendants(node)) {
    if (item.parent !== undefined && skipped.has(item.parent)) skipped.add(item);
    for (const child of isPython ? pythonAnswers(item) : scriptAnswers(item)) skipped.add(child);
    const kind = kinds[item.type] ?? (isCallback(item) ? 'callback' : undefined);
    if (kind === undefined || skipped.has(item) || isPart(item, isPython)) continue;
    const members = kind === 'list' ? namedChildren(item).map(({ text }) => text) : [];
    found.push({ kind, start: item.start, end: item.end, text: item.text, members });
  }
  return found;
}

/** Callees whose functions are no input of the product. */
const ownCallees =
  /(^|\.)(map|filter|forEach|reduce|some|every|find|findIndex|sort|sorted|then|catch|raises|throws|rejects|expect|test|it|describe|setTimeout|setImmediate|before|after|beforeEach|afterEach|Promise|each|iter|key)$/;

/** A function that a test hands to the product. */
function isCallback(item: SyntaxNode): boolean {
  if (item.type !== 'lambda' && item.type !== 'arrow_function') return false;
  const list = item.parent;
  const call = list?.type === 'argument_list' || list?.type === 'arguments' ? list.parent : undefined;
  const callee = call === undefined ? undefined : childOf(call, 'function')?.text;
  return callee !== undefined && !ownCallees.test(callee) && !callee.startsWith('assert');
}

/** A token, a part of a text, a text with code in it, or a comment in the form of a text. */
function isPart(item: SyntaxNode, isPython: boolean): boolean {
  if (!item.isNamed || item.parent?.type === 'string') return true;
  return item.type === 'string' && (isDocument(item) || (isPython && /^[rbu]*f/i.test(item.text)));
}

function isDocument(node: SyntaxNode): boolean {
  return node.parent?.type === 'expression_statement';
}

/** Parts that name things or say what is expected: to change them asks nothing new. */
function pythonAnswers(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'assert_statement') {
    const [test, ...message] = namedChildren(node);
    const isEquality = test?.type === 'comparison_operator' && test.children.some(({ type }) => type === '==');
    return [...(isEquality ? namedChildren(test).slice(1) : []), ...message];
  }
  if (node.type === 'keyword_argument' && ['match', 'encoding', 'ids', 'id', 'reason'].includes(childOf(node, 'name')?.text ?? ''))
    return [node];
  if (node.type === 'call' && /parametrize$/.test(childOf(node, 'function')?.text ?? '')) {
    return namedChildren(childOf(node, 'arguments') ?? node).slice(0, 1);
  }
  return node.type === 'type' ? [node] : [];
}

function scriptAnswers(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'type_annotation' || node.type === 'regex') return [node];
  if (node.type !== 'call_expression') return [];
  const name = childOf(node, 'function')?.text ?? '';
  const given = namedChildren(childOf(node, 'arguments') ?? node);
  if (/^(test|it|describe|suite|context)\b/.test(name)) return given.slice(0, 1);
  if (/\.(toBe\w*|toEqual|toStrictEqual|toMatch\w*|toThrow\w*|toContain\w*|toHave\w*)$/.test(name)) return given;
  return /^assert\.(\w*[eE]qual|match|throws|rejects)$/.test(name) ? given.slice(1) : [];
}
