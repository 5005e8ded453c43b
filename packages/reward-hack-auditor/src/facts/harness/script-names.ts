import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';

/** Gives an expression of a JavaScript module the dotted path of what it means, with imports, aliases and constants resolved. */
export interface ScriptNames {
  pathOf(node: SyntaxNode | undefined): string;
  textOf(node: SyntaxNode | undefined): string | undefined;
  /** Specifiers that it imports. */
  readonly imported: ReadonlySet<string>;
}

const deepest = 7;
const transparent = /^(parenthesized_expression|await_expression|as_expression|satisfies_expression|non_null_expression|spread_element)$/;

/** Values whose own path is that of the name they are given. */
const aliasing = /^(identifier|member_expression|subscript_expression|call_expression|await_expression)$/;

/** What a module's declarations say of its names. */
interface Declared {
  /** Dotted paths by name. */
  readonly paths: Map<string, string>;
  /** First values by name. */
  readonly values: Map<string, SyntaxNode>;
}

/** Reads the names of a JavaScript or TypeScript module. */
export function scriptNamesOf(tree: SyntaxNode): ScriptNames {
  const declared: Declared = { paths: new Map(), values: new Map() };
  const imported = new Set<string>();
  for (const node of descendants(tree)) {
    if (node.type === 'import_statement') imported.add(readImport(node, declared.paths));
    readDeclarator(declared, node);
    const specifier = node.type === 'call_expression' ? loadedBy(declared, node) : undefined;
    if (specifier !== undefined) imported.add(specifier);
  }
  return { pathOf: (node) => pathOf(declared, node), textOf: (node) => textOf(declared, node), imported };
}

function textOf(declared: Declared, node: SyntaxNode | undefined, depth = 0): string | undefined {
  if (node === undefined || depth > deepest) return undefined;
  if (node.type === 'string') return node.text.slice(1, -1);
  if (node.type === 'template_string') return node.text.includes('${') ? undefined : node.text.slice(1, -1);
  if (transparent.test(node.type)) return textOf(declared, namedChildren(node)[0], depth + 1);
  if (node.type === 'binary_expression') {
    const [left, right] = [textOf(declared, childOf(node, 'left'), depth + 1), textOf(declared, childOf(node, 'right'), depth + 1)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return node.type === 'identifier' ? textOf(declared, declared.values.get(node.text), depth + 1) : undefined;
}

function pathOf(declared: Declared, node: SyntaxNode | undefined, depth = 0): string {
  if (node === undefined || depth > deepest) return '?';
  if (transparent.test(node.type)) return pathOf(declared, namedChildren(node)[0], depth + 1);
  const object = () => pathOf(declared, childOf(node, 'object'), depth + 1);
  switch (node.type) {
    case 'identifier':
      return pathOfName(declared, node.text, depth);
    case 'member_expression':
      return join(object(), childOf(node, 'property')?.text ?? '?');
    case 'subscript_expression':
      return join(object(), textOf(declared, childOf(node, 'index')) ?? '[]');
    case 'call_expression': {
      const specifier = loadedBy(declared, node);
      return specifier === undefined ? `${pathOf(declared, childOf(node, 'function'), depth + 1)}()` : plain(specifier);
    }
    default:
      return node.type === 'this' ? 'this' : '?';
  }
}

function pathOfName(declared: Declared, name: string, depth: number): string {
  const path = declared.paths.get(name);
  if (path !== undefined) return path;
  const value = declared.values.get(name);
  return value !== undefined && aliasing.test(value.type) ? pathOf(declared, value, depth + 1) : name;
}

/** The specifier that `require(…)` or `import(…)` is given. */
function loadedBy(declared: Declared, call: SyntaxNode): string | undefined {
  const called = childOf(call, 'function');
  if (called?.type !== 'import' && called?.text !== 'require') return undefined;
  return textOf(declared, namedChildren(childOf(call, 'arguments') ?? call)[0]);
}

function readDeclarator(declared: Declared, node: SyntaxNode): void {
  const value = node.type === 'variable_declarator' ? childOf(node, 'value') : undefined;
  const name = childOf(node, 'name');
  if (value === undefined) return;
  if (name?.type === 'identifier' && !declared.values.has(name.text)) declared.values.set(name.text, value);
  if (name?.type !== 'object_pattern') return;
  for (const item of namedChildren(name)) {
    const key = childOf(item, 'key')?.text ?? item.text;
    declared.paths.set(childOf(item, 'value')?.text ?? item.text, join(pathOf(declared, value), key));
  }
}

/** Takes in the names that an import statement binds, and gives its specifier. */
function readImport(node: SyntaxNode, paths: Map<string, string>): string {
  const specifier = childOf(node, 'source')?.text.slice(1, -1) ?? '';
  const from = plain(specifier);
  const clauses = namedChildren(node).filter(({ type }) => type === 'import_clause');
  for (const item of clauses.flatMap((clause) => namedChildren(clause))) {
    if (item.type === 'identifier') paths.set(item.text, from);
    else if (item.type === 'namespace_import') paths.set(namedChildren(item)[0]?.text ?? '', from);
    else readNamedImports(item, from, paths);
  }
  return specifier;
}

function readNamedImports(list: SyntaxNode, from: string, paths: Map<string, string>): void {
  for (const one of namedChildren(list)) {
    const name = childOf(one, 'name')?.text ?? '';
    paths.set(childOf(one, 'alias')?.text ?? name, name === 'default' ? from : join(from, name));
  }
}

function join(object: string, name: string): string {
  if (/^(globalThis|global|window|self)$/.test(object)) return name;
  return name === 'default' ? object : `${object}.${name}`;
}

/** A module's name without what makes no difference: `node:assert/strict` is `assert`. */
function plain(specifier: string): string {
  return specifier.replace(/^node:/, '').replace(/^assert\/strict$/, 'assert');
}
