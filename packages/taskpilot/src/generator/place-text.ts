import type { Replacement, SyntaxPlace } from './mutation-operator.js';
import type { SyntaxNode } from './syntax-node.js';

/** Text of a node. */
export function textOf(node: SyntaxNode, place: Pick<SyntaxPlace, 'text'>): string {
  return place.text.slice(node.start, node.end);
}

/** Replaces a node by a text. */
export function replaceNode(node: SyntaxNode, text: string): Replacement {
  return { start: node.start, end: node.end, text };
}

/** Takes characters [start, end) away. */
export function removeSpan(start: number, end: number): Replacement {
  return { start, end, text: '' };
}

/** Each of two nodes takes the other's text. */
export function exchangeNodes(left: SyntaxNode, right: SyntaxNode, place: SyntaxPlace): Replacement[] {
  return [replaceNode(left, textOf(right, place)), replaceNode(right, textOf(left, place))];
}

/** The two nodes and what stands between them as one replacement; nothing when they read the same. */
export function exchangeNeighbours(left: SyntaxNode, right: SyntaxNode, place: SyntaxPlace): Replacement[][] {
  const [before, after] = [textOf(left, place), textOf(right, place)];
  if (before === after) return [];
  return [[{ start: left.start, end: right.end, text: `${after}${place.text.slice(left.end, right.start)}${before}` }]];
}

/** Named children, comments apart. */
export function partsIn(node: SyntaxNode, place: SyntaxPlace): SyntaxNode[] {
  return node.children.filter(({ isNamed, type }) => isNamed && !place.language.comments.includes(type));
}

/** The white space that a line starts with. */
export function indentationAt(offset: number, text: string): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[^\S\r\n]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Whether nothing but white space stands before `offset` in its line. */
export function startsLine(offset: number, text: string): boolean {
  return text.lastIndexOf('\n', offset - 1) + 1 + indentationAt(offset, text).length === offset;
}

const wordPattern = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const receivers = new Set(['this', 'self', 'await']);

/** Identifiers and keywords of a piece of code, in order. */
export function wordsOf(code: string): string[] {
  return (code.match(wordPattern) ?? []).filter((word) => !receivers.has(word));
}
