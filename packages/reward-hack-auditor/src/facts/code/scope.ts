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

/** What is collected of a module. */
interface Names {
  readonly values: Map<string, SyntaxNode[]>;
  readonly items: Map<string, SyntaxNode[]>;
  readonly imports: Map<string, string>;
}

type ReadNames = (node: SyntaxNode, names: Names) => void;

/** How a node of each type gives names a meaning. */
const readers: Readonly<Record<string, ReadNames>> = {
  assignment: readAssignment,
  named_expression: readAssignment,
  variable_declarator: readDeclaration,
  assignment_expression: readDeclaration,
  for_statement: readLoop,
  for_in_clause: readLoop,
  for_in_statement(node, { items }) {
    for (const name of childOf(node, 'left')?.text.match(/[\w$]+/g) ?? []) addTo(items, name, childOf(node, 'right'));
  },
  as_pattern: (node, { values }) => addTo(values, childOf(node, 'alias')?.text, namedChildren(node)[0]),
  import_statement: (node, { imports }) => readImport(node, imports),
  import_from_statement: (node, { imports }) => readImport(node, imports),
  arrow_function: readCallback,
  function_expression: readCallback,
};

/** Reads assignments, loops and imports. */
export function readScope(options: {
  tree: SyntaxNode;
  isPython: boolean;
  file?: string | undefined;
  readFile(path: string): string | undefined;
}): CodeScope {
  const { tree, isPython, file, readFile } = options;
  const names: Names = { values: new Map(), items: new Map(), imports: new Map() };
  for (const node of descendants(tree)) if (Object.hasOwn(readers, node.type)) readers[node.type]?.(node, names);
  return { isPython, file, ...names, readFile, following: new Set(), budget: { left: mostExpressions } };
}

function addTo(map: Map<string, SyntaxNode[]>, name: string | undefined, node: SyntaxNode | undefined): void {
  if (name === undefined || !node) return;
  const known = map.get(name);
  if (known) known.push(node);
  else map.set(name, [node]);
}

function readAssignment(node: SyntaxNode, { values }: Names): void {
  const left = childOf(node, 'left') ?? childOf(node, 'name');
  addTo(values, left?.text, childOf(node, 'right') ?? childOf(node, 'value'));
}

function readLoop(node: SyntaxNode, { items }: Names): void {
  addTo(items, childOf(node, 'left')?.text, childOf(node, 'right'));
}

/** The first parameter of a function that is given to a method runs over what the method is called on. */
function readCallback(node: SyntaxNode, { items }: Names): void {
  const call = node.parent?.parent;
  const object = call && childOf(childOf(call, 'function'), 'object');
  const names = (childOf(node, 'parameter') ?? childOf(node, 'parameters'))?.text.match(/[\w$]+/g) ?? [];
  if (object && call.type === 'call_expression') addTo(items, names[0], object);
}

function readDeclaration(node: SyntaxNode, { values, imports }: Names): void {
  const target = childOf(node, 'name') ?? childOf(node, 'left');
  const value = childOf(node, 'value') ?? childOf(node, 'right');
  const module =
    value &&
    /^(?:await\s+)?(?:require|import|process\.getBuiltinModule)\(\s*['"`](?:node:)?([^'"`]+)['"`]\s*\)(?:\.([\w.]+))?$/.exec(value.text);
  if (!target || !module) {
    addTo(values, target?.text, value);
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
  if (source) readModuleImport(node, source.text.slice(1, -1).replace(/^node:/, ''), imports);
  else readPythonImport(node, imports);
}

function readModuleImport(node: SyntaxNode, module: string, imports: Map<string, string>): void {
  for (const part of descendants(node)) {
    if (part.type === 'import_specifier') {
      const name = childOf(part, 'name')?.text ?? '';
      imports.set(childOf(part, 'alias')?.text ?? name, `${module}.${name}`);
    } else if (part.type === 'identifier' && ['import_clause', 'namespace_import'].includes(part.parent?.type ?? ''))
      imports.set(part.text, module);
  }
}

function readPythonImport(node: SyntaxNode, imports: Map<string, string>): void {
  const module = childOf(node, 'module_name')?.text;
  for (const part of node.children.filter(({ field }) => field === 'name')) {
    const name = childOf(part, 'name')?.text ?? part.text;
    const alias = childOf(part, 'alias')?.text;
    if (module !== undefined) imports.set(alias ?? name, `${module}.${name}`);
    else imports.set(alias ?? name.split('.')[0] ?? name, alias === undefined ? (name.split('.')[0] ?? name) : name);
  }
}
