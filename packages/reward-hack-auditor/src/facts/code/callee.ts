import { childOf, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import type { CodeScope } from './scope.js';

/** A call in Python, JavaScript or TypeScript. */
export interface CalledFunction {
  readonly node: SyntaxNode;
  /** Dotted, imports resolved: `os.system`, `fs.readFileSync`; of a method of an expression only `.read_text`. */
  readonly name: string;
  /** Last part of the name. */
  readonly method: string;
  /** What a method is called on. */
  readonly object: SyntaxNode | undefined;
  /** Positional arguments. */
  readonly args: readonly SyntaxNode[];
  /** Keyword arguments of Python. */
  readonly keywords: ReadonlyMap<string, SyntaxNode>;
}

/** Reads a call or a `new` expression. Names by `getattr`, `__import__`, `require` and subscripts are read as if written out. */
export function readCallee(node: SyntaxNode, scope: CodeScope, depth = 0): CalledFunction {
  const callee = childOf(node, 'function') ?? childOf(node, 'constructor');
  const list = childOf(node, 'arguments');
  const given = list ? namedChildren(list).filter(({ type }) => type !== 'comment') : [];
  const args = list?.type === 'generator_expression' ? [list] : given.filter(({ type }) => type !== 'keyword_argument');
  const keywords = new Map(
    given.flatMap((argument) => {
      const [name, value] = [childOf(argument, 'name'), childOf(argument, 'value')];
      return argument.type === 'keyword_argument' && name && value ? [[name.text, value] as const] : [];
    }),
  );
  const name = nameOf(callee, scope, depth);
  const object = childOf(callee, 'object');
  return { node, name, method: name.slice(name.lastIndexOf('.') + 1), object, args, keywords };
}

/** Dotted name of an expression, imports resolved; '' before the last dot where it is no name. */
function nameOf(node: SyntaxNode | undefined, scope: CodeScope, depth: number): string {
  scope.budget.left -= 1;
  if (!node || depth > 12 || scope.budget.left < 0) return '';
  const inner = (next: SyntaxNode | undefined) => nameOf(next, scope, depth + 1);
  switch (node.type) {
    case 'identifier':
      return identifierName(node, scope, inner);
    case 'attribute':
    case 'member_expression': {
      const property = (childOf(node, 'attribute') ?? childOf(node, 'property'))?.text ?? '';
      return tidy(`${inner(childOf(node, 'object'))}.${property}`);
    }
    case 'subscript_expression': {
      const index = childOf(node, 'index');
      const text = index && /string/.test(index.type) ? index.text.slice(1, -1) : '*';
      return tidy(`${inner(childOf(node, 'object'))}.${text}`);
    }
    case 'call':
    case 'call_expression':
      return resultName(readCallee(node, scope, depth + 1), inner);
    case 'parenthesized_expression':
    case 'await_expression':
    case 'await':
      return inner(namedChildren(node)[0]);
    case 'import':
      return 'import';
    default:
      return '';
  }
}

type InnerName = (node: SyntaxNode | undefined) => string;

/** Modules and functions whose other names are followed. */
const followed =
  /^(os|sys|subprocess|fs|child_process|globalThis|process|shutil|builtins|pathlib|urllib|socket|requests)\b|^(eval|exec|open|compile)$/;

/** What was imported under a name, what a name that was given once stands for, or the name itself. */
function identifierName(node: SyntaxNode, scope: CodeScope, inner: InnerName): string {
  const imported = scope.imports.get(node.text);
  if (imported !== undefined)
    return imported
      .replace(/^(node:)/, '')
      .replace(/^fs\/promises\b/, 'fs.promises')
      .replace(/\.default\b/, '');
  const values = scope.values.get(node.text);
  const [only] = values ?? [];
  const isAlias =
    values?.length === 1 && only && /^(attribute|member_expression|identifier|call|call_expression|subscript_expression)$/.test(only.type);
  const key = `name ${node.text}`;
  if (!isAlias || scope.following.has(key)) return node.text;
  scope.following.add(key);
  const name = inner(only);
  scope.following.delete(key);
  return followed.test(name) ? name : node.text;
}

/** Name of what a call gives: an attribute by `getattr`, a module by `require`. */
function resultName({ name, args }: CalledFunction, inner: InnerName): string {
  const literal = (at: number) => /^[rbu]?['"`]([^'"`]*)['"`]$/.exec(args[at]?.text ?? '')?.[1];
  if (name === 'getattr') return `${inner(args[0])}.${literal(1) ?? '*'}`;
  if (/^(__import__|importlib\.import_module|require|import|process\.getBuiltinModule)$/.test(name))
    return (literal(0) ?? '*').replace(/^node:/, '');
  return '';
}

function tidy(name: string): string {
  return name.replace(/^(globalThis|global|window|builtins|__builtins__)\.(?=.)/, '');
}
