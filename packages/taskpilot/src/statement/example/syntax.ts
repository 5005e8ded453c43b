import type { Node } from '@vscode/tree-sitter-wasm';

/** Children that are code: named, and no comments. */
export function childrenOf(node: Node | null): Node[] {
  return (node?.namedChildren ?? []).filter((child): child is Node => child !== null && child.type !== 'comment');
}

/** Descendants of some types, the node itself included, in document order. */
export function descendantsOf(node: Node, types: readonly string[]): Node[] {
  return node.descendantsOfType([...types]).filter((found): found is Node => found !== null);
}

/** Names of variables that code mentions; names of properties and keyword arguments are not among them. */
export function namesIn(node: Node): Set<string> {
  const found = descendantsOf(node, ['identifier', 'shorthand_property_identifier']).filter(({ id, parent }) => {
    if (parent?.type === 'attribute') return parent.childForFieldName('attribute')?.id !== id;
    return parent?.type !== 'keyword_argument' || parent.childForFieldName('name')?.id !== id;
  });
  return new Set(found.map(({ text }) => text));
}

/** Names that a statement declares in the block in which it stands. */
export function declaredBy(statement: Node): Set<string> {
  const node = unwrapped(statement);
  if (/^(function|generator_function|class)_(declaration|definition)$|^function_definition$/.test(node.type))
    return new Set([node.childForFieldName('name')?.text ?? '']);
  const patterns =
    node.type === 'expression_statement'
      ? childrenOf(node).map((child) => (child.type === 'assignment' ? child.childForFieldName('left') : null))
      : childrenOf(node).map((child) => (child.type === 'variable_declarator' ? child.childForFieldName('name') : null));
  const types = ['identifier', 'shorthand_property_identifier_pattern'];
  return new Set(
    patterns
      .flatMap((pattern) => (pattern === null || pattern.type === 'attribute' ? [] : descendantsOf(pattern, types)))
      .map(({ text }) => text),
  );
}

/** The declaration inside `export …` or below decorators. */
function unwrapped(node: Node): Node {
  if (node.type === 'export_statement') return node.childForFieldName('declaration') ?? node;
  return node.type === 'decorated_definition' ? (node.childForFieldName('definition') ?? node) : node;
}

/** Code moved to the left margin; `null` when a string runs over several lines, which moving would change. */
export function dedented(node: Node): string | null {
  const spans = descendantsOf(node, ['string', 'template_string']).some(
    ({ startPosition, endPosition }) => startPosition.row !== endPosition.row,
  );
  if (spans) return null;
  return node.text.replace(new RegExp(`\\n[ \\t]{0,${node.startPosition.column}}`, 'g'), '\n').replaceAll('\r', '');
}

/** The value of a string without substitutions; `null` for any other node. */
export function stringValue(node: Node | undefined): string | null {
  if (node === undefined || (node.type !== 'string' && node.type !== 'template_string')) return null;
  const parts = childrenOf(node).filter(({ type }) => type !== 'string_start' && type !== 'string_end');
  const values = parts.map(({ type, text }) =>
    type === 'escape_sequence' ? unescaped(text) : /^string_(fragment|content)$/.test(type) && !text.includes('\\') ? text : null,
  );
  return values.includes(null) ? null : values.join('');
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };

function unescaped(sequence: string): string {
  const code = /^\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})$/i.exec(sequence);
  if (code !== null) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16)));
  return escapes[sequence.slice(1)] ?? sequence.slice(1);
}
