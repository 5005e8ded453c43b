import type { Node, Tree } from '@vscode/tree-sitter-wasm';
import type { Replacement } from './mutation-operator.js';
import type { ParsedFile } from './mutation-site.js';
import { statementAround } from './statements.js';
import { nodeCovering, type SyntaxNode } from './syntax-node.js';

/**
 * Whether two trees of a file differ inside the changed statements alone. Where tree-sitter's own comparison says
 * more, it may only have built equal nodes anew: then the statements next to the changed ones, and next to every node
 * around them, must be the same nodes in the same blocks.
 */
export function changesLocally(options: {
  source: ParsedFile;
  replacements: readonly Replacement[];
  /** The old tree, told of the edits. */
  edited: Tree;
  parsed: Tree;
  /** The changed file. */
  text: string;
}): boolean {
  const { source, replacements, edited, parsed, text } = options;
  const { comments } = source.language;
  const mapOffset = (offset: number) =>
    replacements
      .filter(({ start, end }) => end <= offset && start < offset)
      .reduce((at, { start, end, text: added }) => at + added.length - (end - start), offset);
  const statements = replacements.map((replacement) => {
    const node = statementAround(nodeCovering(source.root, withoutSpace(source.text, replacement)), source.language);
    const [start, end] = [Math.min(node.start, replacement.start), Math.max(node.end, replacement.end)];
    return { node, start: mapOffset(start), end: mapOffset(end) };
  });
  // a comment after a statement without a semicolon may come to another parent
  const isComment = (range: { startIndex: number; endIndex: number }) => {
    const { start, end } = withoutSpace(text, { start: range.startIndex, end: range.endIndex });
    return start === end || comments.includes(parsed.rootNode.descendantForIndex(start, end)?.type ?? '');
  };
  const isExpected = edited
    .getChangedRanges(parsed)
    .every((range) => statements.some(({ start, end }) => start <= range.startIndex && range.endIndex <= end) || isComment(range));
  return isExpected || statements.every(({ node }) => keepsNeighbours({ node, comments, parsed, replacements, mapOffset }));
}

function keepsNeighbours(options: {
  node: SyntaxNode;
  comments: readonly string[];
  parsed: Tree;
  replacements: readonly Replacement[];
  mapOffset: (offset: number) => number;
}): boolean {
  const { comments, parsed, replacements, mapOffset } = options;
  const isChanged = ({ start, end }: SyntaxNode) => replacements.some((part) => part.start <= end && start <= part.end);
  for (let node = options.node; node.parent !== null; node = node.parent) {
    const siblings = node.parent.children.filter(({ isNamed, type }) => isNamed && !comments.includes(type));
    const at = siblings.indexOf(node);
    for (const neighbour of [siblings[at - 1], siblings[at + 1]]) {
      if (neighbour === undefined || isChanged(neighbour)) continue;
      const [start, end] = [mapOffset(neighbour.start), mapOffset(neighbour.end)];
      if (!isSame(neighbour, parsed.rootNode.descendantForIndex(start, end), { start, end })) return false;
    }
  }
  return true;
}

/** Whether a node of the new tree, or one around it of the same span, has the type and the ancestors of an old one. */
function isSame(old: SyntaxNode, found: Node | null, { start, end }: { start: number; end: number }): boolean {
  let node = found;
  while (node !== null && node.type !== old.type && node.startIndex === start && node.endIndex === end) node = node.parent;
  if (node === null || node.startIndex !== start || node.endIndex !== end) return false;
  let fresh: Node | null = node;
  let before: SyntaxNode | null = old;
  while (fresh !== null && before !== null && fresh.type === before.type) [fresh, before] = [fresh.parent, before.parent];
  return fresh === null && before === null;
}

/** A span without the white space at its ends. */
function withoutSpace(text: string, { start, end }: { start: number; end: number }): { start: number; end: number } {
  const whole = text.slice(start, end);
  const from = start + whole.length - whole.trimStart().length;
  return { start: from, end: Math.max(from, start + whole.trimEnd().length) };
}
