import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';

/** Gives an expression of a Python module the dotted path of what it means, with imports, aliases and constants resolved. */
export interface PythonNames {
  pathOf(node: SyntaxNode | undefined): string;
  /** The text of a string that is known: a literal, pieces joined by `+`, or a name for one. */
  textOf(node: SyntaxNode | undefined): string | undefined;
  /** First segments of the modules that it imports. */
  readonly imported: ReadonlySet<string>;
}

const deepest = 7;

/** Reads the names of a Python module. */
export function pythonNamesOf(tree: SyntaxNode): PythonNames {
  const { paths, imported } = importsOf(tree);
  const values = new Map<string, SyntaxNode>();
  for (const node of descendants(tree)) {
    const [left, right] =
      node.type === 'assignment'
        ? [childOf(node, 'left'), childOf(node, 'right')]
        : node.type === 'as_pattern'
          ? [namedChildren(node)[1], namedChildren(node)[0]]
          : node.type === 'named_expression'
            ? [childOf(node, 'name'), childOf(node, 'value')]
            : [undefined, undefined];
    const name = left?.type === 'as_pattern_target' ? namedChildren(left)[0] : left;
    if (name?.type === 'identifier' && right !== undefined && !values.has(name.text)) values.set(name.text, right);
  }
  const textOf = (node: SyntaxNode | undefined, depth = 0): string | undefined => {
    if (node === undefined || depth > deepest) return undefined;
    if (node.type === 'string') return node.text.includes('{') && /^[rb]*f/i.test(node.text) ? undefined : stringText(node.text);
    if (node.type === 'concatenated_string' || node.type === 'parenthesized_expression') {
      const parts = namedChildren(node).map((part) => textOf(part, depth + 1));
      return parts.includes(undefined) ? undefined : parts.join('');
    }
    if (node.type === 'binary_operator') {
      const [left, right] = [textOf(childOf(node, 'left'), depth + 1), textOf(childOf(node, 'right'), depth + 1)];
      return left === undefined || right === undefined ? undefined : left + right;
    }
    return node.type === 'identifier' ? textOf(values.get(node.text), depth + 1) : undefined;
  };
  const pathOf = (node: SyntaxNode | undefined, depth = 0): string => {
    if (node === undefined || depth > deepest) return '?';
    const inner = (field: string) => pathOf(childOf(node, field), depth + 1);
    switch (node.type) {
      case 'identifier': {
        const value = values.get(node.text);
        const path = paths.get(node.text);
        if (path !== undefined) return path;
        return value !== undefined && /^(identifier|attribute|call|subscript)$/.test(value.type) ? pathOf(value, depth + 1) : node.text;
      }
      case 'attribute': {
        const object = inner('object');
        const name = childOf(node, 'attribute')?.text ?? '?';
        return name === '__dict__' || name === '__class__' ? object : `${object}.${name}`;
      }
      case 'subscript':
        return `${inner('value')}[${textOf(childOf(node, 'subscript')) ?? ''}]`;
      case 'call':
        return calledPath({ node, called: inner('function'), textOf, pathOf: (argument) => pathOf(argument, depth + 1) });
      case 'parenthesized_expression':
      case 'await':
        return pathOf(namedChildren(node)[0], depth + 1);
      default:
        return '?';
    }
  };
  return { pathOf: (node) => pathOf(node), textOf: (node) => textOf(node), imported };
}

function calledPath(options: {
  node: SyntaxNode;
  called: string;
  textOf(node: SyntaxNode | undefined): string | undefined;
  pathOf(node: SyntaxNode | undefined): string;
}): string {
  const { node, called, textOf, pathOf } = options;
  const [first, second] = argumentsOf(node);
  if (called === '__import__' || called === 'importlib.import_module') return textOf(first) ?? '?';
  if (called === 'getattr') return `${pathOf(first)}.${textOf(second) ?? '?'}`;
  if (called === 'vars' || called === 'type') return first === undefined ? called : pathOf(first);
  if (called === 'sys.modules.get') return textOf(first) ?? '?';
  return `${called}()`;
}

/** The arguments of a call, without comments. */
export function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  const list = childOf(call, 'arguments');
  return list === undefined ? [] : namedChildren(list).filter(({ type }) => type !== 'comment');
}

function importsOf(tree: SyntaxNode): { paths: ReadonlyMap<string, string>; imported: ReadonlySet<string> } {
  const paths = new Map<string, string>();
  const imported = new Set<string>();
  for (const node of descendants(tree)) {
    if (node.type !== 'import_statement' && node.type !== 'import_from_statement') continue;
    const from = childOf(node, 'module_name')?.text;
    if (from !== undefined) imported.add(from.split('.')[0] ?? from);
    for (const item of node.children.filter(({ field }) => field === 'name')) {
      const name = (item.type === 'aliased_import' ? childOf(item, 'name') : item)?.text ?? '';
      const alias = item.type === 'aliased_import' ? childOf(item, 'alias')?.text : undefined;
      if (from !== undefined) paths.set(alias ?? name, `${from}.${name}`);
      else {
        imported.add(name.split('.')[0] ?? name);
        paths.set(alias ?? name.split('.')[0] ?? name, alias === undefined ? (name.split('.')[0] ?? name) : name);
      }
    }
  }
  return { paths, imported };
}

function stringText(source: string): string {
  return source.replace(/^[a-zA-Z]*("""|'''|"|')/, '').replace(/("""|'''|"|')$/, '');
}
