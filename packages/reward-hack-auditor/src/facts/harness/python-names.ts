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

/** What the names of a module stand for: paths of imports, and the first value that is assigned. */
interface Bindings {
  readonly paths: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, SyntaxNode>;
}

/** Reads the names of a Python module. */
export function pythonNamesOf(tree: SyntaxNode): PythonNames {
  const { paths, imported } = importsOf(tree);
  const bindings = { paths, values: valuesOf(tree) };
  return { pathOf: (node) => pathOf(node, bindings), textOf: (node) => textOf(node, bindings), imported };
}

function valuesOf(tree: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  const values = new Map<string, SyntaxNode>();
  for (const node of descendants(tree)) {
    const [left, right] = bindingOf(node);
    const name = left?.type === 'as_pattern_target' ? namedChildren(left)[0] : left;
    if (name?.type === 'identifier' && right !== undefined && !values.has(name.text)) values.set(name.text, right);
  }
  return values;
}

/** The name that a node binds and what it binds it to. */
function bindingOf(node: SyntaxNode): readonly (SyntaxNode | undefined)[] {
  if (node.type === 'assignment') return [childOf(node, 'left'), childOf(node, 'right')];
  if (node.type === 'as_pattern') return [namedChildren(node)[1], namedChildren(node)[0]];
  return node.type === 'named_expression' ? [childOf(node, 'name'), childOf(node, 'value')] : [];
}

function textOf(node: SyntaxNode | undefined, bindings: Bindings, depth = 0): string | undefined {
  if (node === undefined || depth > deepest) return undefined;
  switch (node.type) {
    case 'string':
      return node.text.includes('{') && /^[rb]*f/i.test(node.text) ? undefined : stringText(node.text);
    case 'concatenated_string':
    case 'parenthesized_expression':
      return joinedText(namedChildren(node), bindings, depth + 1);
    case 'binary_operator':
      return joinedText([childOf(node, 'left'), childOf(node, 'right')], bindings, depth + 1);
    case 'identifier':
      return textOf(bindings.values.get(node.text), bindings, depth + 1);
    default:
      return undefined;
  }
}

function joinedText(nodes: readonly (SyntaxNode | undefined)[], bindings: Bindings, depth: number): string | undefined {
  const parts = nodes.map((part) => textOf(part, bindings, depth));
  return parts.includes(undefined) ? undefined : parts.join('');
}

function pathOf(node: SyntaxNode | undefined, bindings: Bindings, depth = 0): string {
  if (node === undefined || depth > deepest) return '?';
  const inner = (part: SyntaxNode | undefined) => pathOf(part, bindings, depth + 1);
  switch (node.type) {
    case 'identifier': {
      const value = bindings.values.get(node.text);
      const isPath = value !== undefined && /^(identifier|attribute|call|subscript)$/.test(value.type);
      return bindings.paths.get(node.text) ?? (isPath ? inner(value) : node.text);
    }
    case 'attribute': {
      const object = inner(childOf(node, 'object'));
      const name = childOf(node, 'attribute')?.text ?? '?';
      return name === '__dict__' || name === '__class__' ? object : `${object}.${name}`;
    }
    case 'subscript':
      return `${inner(childOf(node, 'value'))}[${textOf(childOf(node, 'subscript'), bindings) ?? ''}]`;
    case 'call':
      return calledPath({
        node,
        called: inner(childOf(node, 'function')),
        textOf: (argument) => textOf(argument, bindings),
        pathOf: inner,
      });
    case 'parenthesized_expression':
    case 'await':
      return inner(namedChildren(node)[0]);
    default:
      return '?';
  }
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
    if (from !== undefined) imported.add(firstSegment(from));
    for (const item of node.children.filter(({ field }) => field === 'name')) {
      const name = (item.type === 'aliased_import' ? childOf(item, 'name') : item)?.text ?? '';
      const alias = item.type === 'aliased_import' ? childOf(item, 'alias')?.text : undefined;
      if (from === undefined) imported.add(firstSegment(name));
      const [bound, path] = importedName({ from, name, alias });
      paths.set(bound, path);
    }
  }
  return { paths, imported };
}

/** The name that an import binds, and the path that it stands for: `import a.b` binds `a`. */
function importedName(options: { from: string | undefined; name: string; alias: string | undefined }): readonly [string, string] {
  const { from, name, alias } = options;
  if (from !== undefined) return [alias ?? name, `${from}.${name}`];
  return alias === undefined ? [firstSegment(name), firstSegment(name)] : [alias, name];
}

function firstSegment(path: string): string {
  return path.split('.')[0] ?? path;
}

function stringText(source: string): string {
  return source.replace(/^[a-zA-Z]*("""|'''|"|')/, '').replace(/("""|'''|"|')$/, '');
}
