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

/** Reads the names of a JavaScript or TypeScript module. */
export function scriptNamesOf(tree: SyntaxNode): ScriptNames {
  const paths = new Map<string, string>();
  const values = new Map<string, SyntaxNode>();
  const imported = new Set<string>();
  const textOf = (node: SyntaxNode | undefined, depth = 0): string | undefined => {
    if (node === undefined || depth > deepest) return undefined;
    if (node.type === 'string') return node.text.slice(1, -1);
    if (node.type === 'template_string') return node.text.includes('${') ? undefined : node.text.slice(1, -1);
    if (transparent.test(node.type)) return textOf(namedChildren(node)[0], depth + 1);
    if (node.type === 'binary_expression') {
      const [left, right] = [textOf(childOf(node, 'left'), depth + 1), textOf(childOf(node, 'right'), depth + 1)];
      return left === undefined || right === undefined ? undefined : left + right;
    }
    return node.type === 'identifier' ? textOf(values.get(node.text), depth + 1) : undefined;
  };
  const pathOf = (node: SyntaxNode | undefined, depth = 0): string => {
    if (node === undefined || depth > deepest) return '?';
    if (transparent.test(node.type)) return pathOf(namedChildren(node)[0], depth + 1);
    if (node.type === 'identifier') {
      const value = values.get(node.text);
      const path = paths.get(node.text);
      if (path !== undefined) return path;
      return value !== undefined &&
        /^(identifier|member_expression|subscript_expression|call_expression|await_expression)$/.test(value.type)
        ? pathOf(value, depth + 1)
        : node.text;
    }
    if (node.type === 'member_expression') return join(pathOf(childOf(node, 'object'), depth + 1), childOf(node, 'property')?.text ?? '?');
    if (node.type === 'subscript_expression') {
      return join(pathOf(childOf(node, 'object'), depth + 1), textOf(childOf(node, 'index')) ?? '[]');
    }
    if (node.type === 'call_expression') {
      const called = childOf(node, 'function');
      const specifier = textOf(namedChildren(childOf(node, 'arguments') ?? node)[0]);
      if ((called?.type === 'import' || called?.text === 'require') && specifier !== undefined) return plain(specifier);
      return `${pathOf(called, depth + 1)}()`;
    }
    return node.type === 'this' ? 'this' : '?';
  };
  for (const node of descendants(tree)) {
    if (node.type === 'import_statement') readImport(node, paths, imported);
    const value = node.type === 'variable_declarator' ? childOf(node, 'value') : undefined;
    const name = childOf(node, 'name');
    if (value !== undefined && name?.type === 'identifier' && !values.has(name.text)) values.set(name.text, value);
    if (value !== undefined && name?.type === 'object_pattern') {
      for (const item of namedChildren(name)) {
        const key = childOf(item, 'key')?.text ?? item.text;
        paths.set(childOf(item, 'value')?.text ?? item.text, join(pathOf(value), key));
      }
    }
    const called = node.type === 'call_expression' ? childOf(node, 'function') : undefined;
    const specifier =
      called?.text === 'require' || called?.type === 'import' ? textOf(namedChildren(childOf(node, 'arguments') ?? node)[0]) : undefined;
    if (specifier !== undefined) imported.add(specifier);
  }
  return { pathOf: (node) => pathOf(node), textOf: (node) => textOf(node), imported };
}

function readImport(node: SyntaxNode, paths: Map<string, string>, imported: Set<string>): void {
  const specifier = childOf(node, 'source')?.text.slice(1, -1) ?? '';
  imported.add(specifier);
  const from = plain(specifier);
  for (const clause of namedChildren(node).filter(({ type }) => type === 'import_clause')) {
    for (const item of namedChildren(clause)) {
      if (item.type === 'identifier') paths.set(item.text, from);
      else if (item.type === 'namespace_import') paths.set(namedChildren(item)[0]?.text ?? '', from);
      else {
        for (const one of namedChildren(item)) {
          const name = childOf(one, 'name')?.text ?? '';
          paths.set(childOf(one, 'alias')?.text ?? name, name === 'default' ? from : join(from, name));
        }
      }
    }
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
