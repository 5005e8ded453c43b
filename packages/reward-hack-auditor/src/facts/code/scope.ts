import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';

/** What the names of a module stand for, as far as its text tells. Scopes within it are not told apart. */
export interface CodeScope {
  readonly isPython: boolean;
  /** Path of the file that holds the module. */
  readonly file: string | undefined;
  /** Expressions that a name was given, in order. */
  readonly values: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** Expressions over whose items a name runs. */
  readonly items: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** Full names of what was imported: `P` → `pathlib.Path`, `r` → `fs.readFileSync`. */
  readonly imports: ReadonlyMap<string, string>;
  /** Text of a file that is known, by the path as written. */
  readFile(path: string): string | undefined;
  /** Names that are being followed: a name that is made from itself is followed once. */
  readonly following: Set<string>;
  /** Expressions that may still be followed in this program. */
  readonly budget: { left: number };
}

/** Expressions that are followed in one program. */
const mostExpressions = 30_000;

/** Reads assignments, loops and imports. */
export function readScope(options: { tree: SyntaxNode; isPython: boolean; file?: string | undefined; readFile(path: string): string | undefined }): CodeScope {
  const { tree, isPython, file, readFile } = options;
  const values = new Map<string, SyntaxNode[]>();
  const items = new Map<string, SyntaxNode[]>();
  const imports = new Map<string, string>();
  const add = (map: Map<string, SyntaxNode[]>, name: string | undefined, node: SyntaxNode | undefined) => {
    if (name === undefined || !node) return;
    const known = map.get(name);
    if (known) known.push(node);
    else map.set(name, [node]);
  };
  for (const node of descendants(tree)) {
    if (node.type === 'assignment' || node.type === 'named_expression') {
      const left = childOf(node, 'left') ?? childOf(node, 'name');
      add(values, left?.text, childOf(node, 'right') ?? childOf(node, 'value'));
    } else if (node.type === 'variable_declarator' || node.type === 'assignment_expression') readDeclaration(node, values, imports, add);
    else if (node.type === 'for_statement' || node.type === 'for_in_clause')
      add(items, childOf(node, 'left')?.text, childOf(node, 'right'));
    else if (node.type === 'for_in_statement') {
      const left = childOf(node, 'left');
      for (const name of left?.text.match(/[\w$]+/g) ?? []) add(items, name, childOf(node, 'right'));
    } else if (node.type === 'as_pattern') add(values, childOf(node, 'alias')?.text, namedChildren(node)[0]);
    else if (/^import_(from_)?statement$/.test(node.type)) readImport(node, imports);
    else if (node.type === 'arrow_function' || node.type === 'function_expression') {
      const call = node.parent?.parent;
      const object = call && childOf(childOf(call, 'function'), 'object');
      const names = (childOf(node, 'parameter') ?? childOf(node, 'parameters'))?.text.match(/[\w$]+/g) ?? [];
      if (object && call.type === 'call_expression') add(items, names[0], object);
    }
  }
  return { isPython, file, values, items, imports, readFile, following: new Set(), budget: { left: mostExpressions } };
}

function readDeclaration(
  node: SyntaxNode,
  values: Map<string, SyntaxNode[]>,
  imports: Map<string, string>,
  add: (map: Map<string, SyntaxNode[]>, name: string | undefined, node: SyntaxNode | undefined) => void,
): void {
  const target = childOf(node, 'name') ?? childOf(node, 'left');
  const value = childOf(node, 'value') ?? childOf(node, 'right');
  const module =
    value &&
    /^(?:await\s+)?(?:require|import|process\.getBuiltinModule)\(\s*['"`](?:node:)?([^'"`]+)['"`]\s*\)(?:\.([\w.]+))?$/.exec(value.text);
  if (!target || !module) {
    add(values, target?.text, value);
    return;
  }
  const name = module[2] === undefined ? (module[1] ?? '') : `${module[1]}.${module[2]}`;
  if (target.type === 'identifier') imports.set(target.text, name);
  for (const part of target.type === 'object_pattern' ? namedChildren(target) : []) {
    const key = childOf(part, 'key')?.text ?? part.text;
    imports.set(childOf(part, 'value')?.text ?? part.text, `${name}.${key}`);
  }
}

function readImport(node: SyntaxNode, imports: Map<string, string>): void {
  const source = childOf(node, 'source');
  if (source) {
    const module = source.text.slice(1, -1).replace(/^node:/, '');
    for (const part of descendants(node)) {
      if (part.type === 'import_specifier') {
        const name = childOf(part, 'name')?.text ?? '';
        imports.set(childOf(part, 'alias')?.text ?? name, `${module}.${name}`);
      } else if (part.type === 'identifier' && ['import_clause', 'namespace_import'].includes(part.parent?.type ?? ''))
        imports.set(part.text, module);
    }
    return;
  }
  const module = childOf(node, 'module_name')?.text;
  for (const part of node.children.filter(({ field }) => field === 'name')) {
    const name = childOf(part, 'name')?.text ?? part.text;
    const alias = childOf(part, 'alias')?.text;
    if (module !== undefined) imports.set(alias ?? name, `${module}.${name}`);
    else imports.set(alias ?? name.split('.')[0] ?? name, alias === undefined ? (name.split('.')[0] ?? name) : name);
  }
}
