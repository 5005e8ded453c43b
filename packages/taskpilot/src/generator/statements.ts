import { type Language, partsOf, typesOf } from './languages/language.js';
import type { Replacement, SyntaxPlace } from './mutation-operator.js';
import { partsIn, startsLine, textOf, wordsOf } from './place-text.js';
import { closest, descendants, type SyntaxNode } from './syntax-node.js';

/** The function around a node, the nearest one. */
export function functionAround(node: SyntaxNode, language: Language): SyntaxNode | null {
  return closest(node, ({ type }) => language.functions.some((shape) => shape.type === type));
}

/** The smallest statement that holds a node: the nearest one that stands in a block. */
export function statementAround(node: SyntaxNode, language: Language): SyntaxNode {
  let statement = node;
  while (statement.parent !== null && !language.blocks.includes(statement.parent.type)) statement = statement.parent;
  return statement;
}

/** The statement that consists of `node`: itself, or the expression statement around it. */
export function statementOf(node: SyntaxNode, language: Language): SyntaxNode {
  return node.parent !== null && language.expressionStatements.includes(node.parent.type) ? node.parent : node;
}

/** The statements of a block, in order; `null` for anything else. */
export function statementsIn(block: SyntaxNode | null, place: SyntaxPlace): SyntaxNode[] | null {
  const { blocks } = place.language;
  if (block === null || !blocks.includes(block.type)) return null;
  let children = partsIn(block, place);
  while (children.length === 1 && blocks.includes(children[0]?.type ?? '')) children = partsIn(children[0] ?? block, place);
  return children;
}

/** Everything below `root` that belongs to the same function. */
export function ownDescendants(root: SyntaxNode, language: Language): SyntaxNode[] {
  return root.children.flatMap((child) => [...descendants(child, typesOf(language.functions))]);
}

/**
 * Takes a statement out of a function: its lines where it has them for itself, or else what an empty statement
 * needs. Nothing at the top level, where it would mostly break the import, and where no statement may be missing.
 */
export function removeStatement(statement: SyntaxNode, place: SyntaxPlace): Replacement[][] {
  const { language, text } = place;
  if (functionAround(statement, language) === null || !isStatementPlace(statement, language)) return [];
  const inBlock = statement.parent !== null && language.blocks.includes(statement.parent.type);
  if (!inBlock || language.needsStatement === true) {
    return [[{ start: statement.start, end: statement.end, text: language.emptyStatement }]];
  }
  const rest = /^[^\S\r\n]*(\r?\n|$)/.exec(text.slice(statement.end, statement.end + 200));
  if (rest === null || !startsLine(statement.start, text)) return [[{ start: statement.start, end: statement.end, text: '' }]];
  return [[{ start: text.lastIndexOf('\n', statement.start - 1) + 1, end: statement.end + rest[0].length, text: '' }]];
}

/** Whether a node stands where a statement stands: in a block, or alone as the body of a loop or an `if`. */
export function isStatementPlace(node: SyntaxNode, language: Language): boolean {
  const { parent } = node;
  if (parent === null) return false;
  if (language.blocks.includes(parent.type)) return node.field !== 'value';
  return partsOf(parent, language.loops)?.part('body') === node || partsOf(parent, language.ifs)?.part('consequence') === node;
}

/** From the first to the last statement of a function's body, without a leading string (documentation, directive). */
export function bodySpan(body: SyntaxNode | null, place: SyntaxPlace): { start: number; end: number; statements: SyntaxNode[] } | null {
  const all = statementsIn(body, place);
  const first = all?.[0];
  if (all === null || first === undefined) return null;
  const statements = isTextStatement(first, place) ? all.slice(1) : all;
  const [start, end] = [statements[0]?.start, statements.at(-1)?.end];
  return start === undefined || end === undefined ? null : { start, end, statements };
}

/** Whether a statement is a literal of text and nothing else: documentation, or a directive. */
export function isTextStatement(statement: SyntaxNode, place: SyntaxPlace): boolean {
  const only = place.language.expressionStatements.includes(statement.type) ? partsIn(statement, place) : [];
  return only.length === 1 && place.language.texts.includes(only[0]?.type ?? '');
}

/** The assignment that a statement is. */
export function assignmentOf(statement: SyntaxNode, language: Language): { target: SyntaxNode; value: SyntaxNode } | null {
  const node = language.expressionStatements.includes(statement.type) ? (statement.children[0] ?? null) : statement;
  const parts = partsOf(node, language.assignments);
  const [target, value] = [parts?.part('target') ?? null, parts?.part('value') ?? null];
  return target === null || value === null ? null : { target, value };
}

/** Whether a statement brings a name into being by assigning to it: later uses of the name fail without it. */
export function bindsName(statement: SyntaxNode, place: SyntaxPlace): boolean {
  const { language, text } = place;
  const assignment = assignmentOf(statement, language);
  const around = functionAround(statement, language);
  if (language.declaresByAssignment !== true || assignment === null || around === null) return false;
  if (language.members.some(({ type }) => type === assignment.target.type)) return false;
  const earlier = new Set(wordsOf(text.slice(around.start, statement.start)));
  return wordsOf(textOf(assignment.target, place)).some((word) => !earlier.has(word));
}
