import type { Redactor } from './create-redactor.js';

/**
 * A copy of plain data in which every text is redacted, names of members included. The texts of an array, and the
 * `content` or `text` of its members, are taken as the pieces of one text, since output arrives in chunks.
 */
export function redactValue<Value>(value: Value, options: { redactor: Redactor }): { value: Value; count: number } {
  let count = 0;
  const redactText = (text: string): string => {
    const result = options.redactor.redact([text]);
    count += result.count;
    return result.pieces[0]!;
  };
  const visit = (node: unknown): unknown => {
    if (typeof node === 'string') return redactText(node);
    if (Array.isArray(node)) return joinPieces(node).map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [redactText(name), visit(member)]));
  };
  const joinPieces = (members: readonly unknown[]): readonly unknown[] => {
    if (members.length < 2) return members;
    const texts = members.map(pieceOf);
    const pieces = texts.filter((text) => text !== undefined);
    const result = options.redactor.redact(pieces);
    count += result.count;
    if (result.count === 0) return members;
    let next = 0;
    return members.map((member, index) => (texts[index] === undefined ? member : withPiece(member, result.pieces[next++]!)));
  };
  return { value: visit(value) as Value, count };
}

function pieceOf(member: unknown): string | undefined {
  if (typeof member === 'string') return member;
  if (typeof member !== 'object' || member === null) return undefined;
  const { content, text } = member as { content?: unknown; text?: unknown };
  return typeof content === 'string' ? content : typeof text === 'string' ? text : undefined;
}

function withPiece(member: unknown, piece: string): unknown {
  if (typeof member === 'string') return piece;
  return typeof (member as { content?: unknown }).content === 'string'
    ? { ...(member as object), content: piece }
    : { ...(member as object), text: piece };
}
