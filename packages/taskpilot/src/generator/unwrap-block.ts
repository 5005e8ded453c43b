import type { SyntaxPlace } from './mutation-operator.js';
import { indentationAt, textOf } from './place-text.js';
import { statementsIn } from './statements.js';
import { descendants, type SyntaxNode } from './syntax-node.js';

/**
 * The statements of a block as they read in place of the statement around it: every line loses the block's own
 * indentation and gets that of `statement`, except lines that begin inside a literal of text. A body that is no
 * block is its own text. `null` when there is no statement, or one whose name would now live longer.
 */
export function unwrapBlock(options: { body: SyntaxNode; statement: SyntaxNode; place: SyntaxPlace }): string | null {
  const { body, statement, place } = options;
  const { language, text } = place;
  const statements = statementsIn(body, place);
  if (statements === null) return language.declarations.includes(body.type) ? null : textOf(body, place);
  const [first, last] = [statements[0], statements.at(-1)];
  if (first === undefined || last === undefined || statements.some(({ type }) => language.declarations.includes(type))) return null;

  const [inner, outer] = [indentationAt(first.start, text), indentationAt(statement.start, text)];
  const fixed = statements.flatMap((node) => [...descendants(node)].filter(({ type }) => language.texts.includes(type)));
  let at = first.start;
  let unwrapped = '';
  for (const line of text.slice(first.start, last.end).split(/(?<=\n)/)) {
    const isMoved = at !== first.start && line.startsWith(inner) && !fixed.some(({ start, end }) => start < at && at < end);
    unwrapped += isMoved ? outer + line.slice(inner.length) : line;
    at += line.length;
  }
  return unwrapped;
}
