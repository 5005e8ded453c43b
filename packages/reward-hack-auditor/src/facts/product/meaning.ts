import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { constantTexts } from '../code/constant-texts.js';
import type { CodeScope } from '../code/scope.js';
import type { CodeText } from './product-files.js';

/** A name that code uses: dotted, with imports, aliases and computed parts resolved. */
export interface Use {
  readonly name: string;
  readonly how: 'read' | 'call' | 'assign' | 'import';
  readonly node: SyntaxNode;
  /** Of a call. */
  readonly args: readonly SyntaxNode[];
}

/** A text that code holds, put together from its pieces. */
export interface HeldText {
  readonly text: string;
  readonly node: SyntaxNode;
  /** Joined, decoded or sliced: not written as it is used. */
  readonly isMade: boolean;
}

const deepest = 10;
const transparent =
  /^(parenthesized_expression|await_expression|await|as_expression|satisfies_expression|non_null_expression|spread_element|optional_chain)$/;

/** The dotted name of an expression; `?` stands for a part that is not known. */
export function meaningOf(node: SyntaxNode | undefined, scope: CodeScope, depth = 0): string {
  if (node === undefined || depth > deepest) return '?';
  const inner = (next: SyntaxNode | undefined) => meaningOf(next, scope, depth + 1);
  if (transparent.test(node.type)) return inner(namedChildren(node)[0]);
  switch (node.type) {
    case 'identifier':
    case 'shorthand_property_identifier': {
      const imported = scope.imports.get(node.text);
      if (imported !== undefined) return imported.replace(/^node:/, '').replace(/\.default\b/, '');
      const values = scope.values.get(node.text) ?? [];
      const items = scope.items.get(node.text) ?? [];
      const alias = values.length === 1 && items.length === 0 ? values[0] : undefined;
      const followed =
        alias &&
        /^(identifier|attribute|member_expression|subscript|subscript_expression|call|call_expression|new_expression|await_expression|as_expression|parenthesized_expression)$/.test(
          alias.type,
        );
      return followed && alias.start !== node.start ? tidy(inner(alias)) : node.text;
    }
    case 'attribute':
    case 'member_expression':
      return tidy(`${inner(childOf(node, 'object'))}.${(childOf(node, 'attribute') ?? childOf(node, 'property'))?.text ?? '?'}`);
    case 'subscript':
    case 'subscript_expression': {
      const index = childOf(node, 'subscript') ?? childOf(node, 'index');
      const key = constantTexts(index, scope)[0]?.text;
      return tidy(`${inner(childOf(node, 'value') ?? childOf(node, 'object'))}.${key ?? '?'}`);
    }
    case 'call':
    case 'call_expression':
    case 'new_expression':
      return calledMeaning(node, scope, depth);
    case 'this':
    case 'super':
      return node.type;
    case 'import':
      return 'import';
    case 'meta_property':
      return node.text;
    default:
      return '?';
  }
}

function calledMeaning(node: SyntaxNode, scope: CodeScope, depth: number): string {
  const called = meaningOf(childOf(node, 'function') ?? childOf(node, 'constructor'), scope, depth + 1);
  const [first, second] = argumentsOf(node);
  const text = (argument: SyntaxNode | undefined) => constantTexts(argument, scope)[0]?.text;
  if (
    /^(__import__|importlib\.import_module|require|import|process\.getBuiltinModule|sys\.modules\.get|importlib\.util\.find_spec)$/.test(
      called,
    )
  )
    return (text(first) ?? '?').replace(/^node:/, '');
  if (called === 'getattr') return tidy(`${meaningOf(first, scope, depth + 1)}.${text(second) ?? '?'}`);
  if (/^Reflect\.(get|set)$/.test(called)) return tidy(`${meaningOf(first, scope, depth + 1)}.${text(second) ?? '?'}`);
  if (called === 'vars' || called === 'type') return first === undefined ? called : meaningOf(first, scope, depth + 1);
  return /^(globals|locals|iter|next)$/.test(called) ? called : `${called}()`;
}

/** The arguments of a call, without comments. */
export function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  const list = childOf(call, 'arguments');
  return list === undefined ? [] : namedChildren(list).filter(({ type }) => type !== 'comment');
}

function tidy(name: string): string {
  return name
    .replace(/^(globalThis|global|window|self|builtins|__builtins__|globals)\.(?=[^?])/, '')
    .replace(/\.__dict__\b/g, '')
    .replace(/^sys\.modules\.(?=\w)/, 'sys.modules.');
}

const most = 20_000;

/** Everything that code names, in order; at most 20,000. */
export function usesOf({ tree, scope }: CodeText): readonly Use[] {
  const uses: Use[] = [];
  for (const node of descendants(tree)) {
    if (uses.length >= most) break;
    const use = useOf(node, scope);
    if (use !== undefined) uses.push(...use);
  }
  return uses;
}

function useOf(node: SyntaxNode, scope: CodeScope): readonly Use[] | undefined {
  const at = { node, args: [] as readonly SyntaxNode[] };
  switch (node.type) {
    case 'call':
    case 'call_expression':
    case 'new_expression': {
      const name = meaningOf(childOf(node, 'function') ?? childOf(node, 'constructor'), scope);
      const whole = calledMeaning(node, scope, 0);
      const args = argumentsOf(node);
      return [{ node, args, how: 'call', name }, ...(whole.endsWith('()') ? [] : [{ node, args, how: 'read' as const, name: whole }])];
    }
    case 'assignment':
    case 'augmented_assignment':
    case 'assignment_expression':
    case 'augmented_assignment_expression': {
      const left = childOf(node, 'left');
      const isMember = left && /^(attribute|subscript|member_expression|subscript_expression)$/.test(left.type);
      return isMember ? [{ ...at, args: namedChildren(node).slice(1), how: 'assign', name: meaningOf(left, scope) }] : undefined;
    }
    case 'import_statement':
    case 'import_from_statement': {
      const source = childOf(node, 'source')?.text.slice(1, -1) ?? childOf(node, 'module_name')?.text;
      const names = source === undefined ? namedChildren(node).map((child) => (childOf(child, 'name') ?? child).text) : [source];
      return names.map((name) => ({ ...at, how: 'import', name: name.replace(/^node:/, '') }));
    }
    case 'attribute':
    case 'member_expression':
    case 'subscript':
    case 'subscript_expression':
    case 'meta_property':
      return [{ ...at, how: 'read', name: meaningOf(node, scope) }];
    case 'identifier': {
      const isPart = /^(attribute|property|name|alias|key)$/.test(node.field ?? '') || /import|parameter/.test(node.parent?.type ?? '');
      return isPart ? undefined : [{ ...at, how: 'read', name: meaningOf(node, scope) }];
    }
    default:
      return undefined;
  }
}

/** The texts in code, also those that it makes of pieces; without documentation. */
export function heldTextsOf({ tree, scope }: CodeText): readonly HeldText[] {
  const held: HeldText[] = [];
  let steps = 0;
  for (const node of descendants(tree)) {
    if (held.length >= most) break;
    if (!/^(string|template_string|concatenated_string|binary_operator|binary_expression|call|call_expression|regex)$/.test(node.type))
      continue;
    if (isDocumentation(node)) continue;
    if (node.type === 'regex') {
      held.push({ text: node.text, node, isMade: false });
      continue;
    }
    const isLiteral = node.type === 'string';
    if (!isLiteral && ++steps > 3000) continue;
    const texts = constantTexts(node, scope).slice(0, 3);
    for (const { text, isDecoded } of texts) {
      if (text.length > 0 && text !== '*' && text.length < 20_000) held.push({ text, node, isMade: !isLiteral || isDecoded });
    }
  }
  return held;
}

/** True for a text that stands alone, as documentation does. */
function isDocumentation(node: SyntaxNode): boolean {
  return /string/.test(node.type) && node.parent?.type === 'expression_statement';
}
