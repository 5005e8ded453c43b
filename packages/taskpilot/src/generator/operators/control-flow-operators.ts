import { partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator, Replacement, SyntaxPlace } from '../mutation-operator.js';
import { exchangeNodes, indentationAt, partsIn, replaceNode, startsLine, textOf } from '../place-text.js';
import { isStatementPlace, removeStatement, statementOf, statementsIn } from '../statements.js';
import { closest, descendants, type SyntaxNode } from '../syntax-node.js';
import { unwrapBlock } from '../unwrap-block.js';

/** Exchanges what an `if` and its `else` do; chains of `else if` are left alone. */
export const invertIfElse: MutationOperator = {
  name: 'invert-if-else',
  family: 'control-flow',
  nodeTypes: (language) => typesOf(language.ifs),
  mutations(place) {
    const { node, language } = place;
    const parts = partsOf(node, language.ifs);
    const alternatives = node.children.filter(({ field }) => field === 'alternative');
    const [consequence, clause] = [parts?.part('consequence') ?? null, parts?.part('alternative') ?? null];
    if (consequence === null || clause === null || alternatives.length !== 1 || loses(place)) return [];
    const alternative = partsOf(clause, language.elseClauses)?.part('body') ?? clause;
    const isChain = (body: SyntaxNode) => partsOf(body, language.ifs) !== null || partsOf(body, language.conditions) !== null;
    if (isChain(consequence) || isChain(alternative) || textOf(consequence, place) === textOf(alternative, place)) return [];
    if (language.needsStatement === true && !aligned(consequence, alternative, place)) return [];
    return [exchangeNodes(consequence, alternative, place)];
  },
};

/** `break` for `continue` and the reverse; a loop that only its `break` ends keeps it. */
export const swapBreakContinue: MutationOperator = {
  name: 'swap-break-continue',
  family: 'control-flow',
  nodeTypes: ({ jumps }) => [jumps.break, jumps.continue],
  mutations(place) {
    const { node, language } = place;
    const keyword = node.children[0];
    if (keyword === undefined || partsIn(node, place).length > 0) return [];
    const isBreak = node.type === language.jumps.break;
    const stops = new Set([...typesOf(language.loops), ...typesOf(language.functions), ...(isBreak ? language.switches : [])]);
    const loop = partsOf(
      closest(node, ({ type }) => stops.has(type)),
      language.loops,
    );
    if (loop === null) return [];
    const bound = loop.part('bound');
    if (isBreak && (bound === null || bound === loop.part('body'))) return [];
    return [[replaceNode(keyword, isBreak ? 'continue' : 'break')]];
  },
};

/** Takes a loop out of a function. */
export const removeLoop: MutationOperator = {
  name: 'remove-loop',
  family: 'control-flow',
  nodeTypes: (language) => typesOf(language.loops),
  mutations: (place) => removeStatement(statementOf(place.node, place.language), place),
};

/** Does always what an `if` without `else` does sometimes; one that ends by raising an error stays. */
export const removeCondition: MutationOperator = {
  name: 'remove-condition',
  family: 'control-flow',
  nodeTypes: (language) => typesOf(language.ifs),
  mutations(place) {
    const { node, language } = place;
    const parts = partsOf(node, language.ifs);
    const [body, alternative] = [parts?.part('consequence') ?? null, parts?.part('alternative') ?? null];
    const statement = statementOf(node, language);
    if (body === null || alternative !== null || loses(place) || !isStatementPlace(statement, language)) return [];
    const last = statementsIn(body, place)?.at(-1) ?? body;
    if (language.discardable.includes(last.type)) return [];
    const isAmongStatements = language.blocks.includes(statement.parent?.type ?? '');
    const text = isAmongStatements ? unwrapBlock({ body, statement, place }) : textOf(body, place);
    return text === null ? [] : [[replaceNode(statement, text)]];
  },
};

/** Never does what an `if` without `else` does sometimes. */
export const removeIf: MutationOperator = {
  name: 'remove-if',
  family: 'control-flow',
  nodeTypes: (language) => typesOf(language.ifs),
  mutations(place): Replacement[][] {
    const alternative = partsOf(place.node, place.language.ifs)?.part('alternative') ?? null;
    return alternative === null ? removeStatement(statementOf(place.node, place.language), place) : [];
  },
};

/** Whether the condition binds a name that its body needs. */
function loses({ node, language }: SyntaxPlace): boolean {
  const parts = partsOf(node, language.ifs);
  const body = parts?.part('consequence') ?? null;
  const binds = parts?.shape.binds ?? [];
  return node.children.some((child) => child !== body && [...descendants(child)].some(({ type }) => binds.includes(type)));
}

function aligned(left: SyntaxNode, right: SyntaxNode, { text }: SyntaxPlace): boolean {
  return (
    indentationAt(left.start, text) === indentationAt(right.start, text) && startsLine(left.start, text) && startsLine(right.start, text)
  );
}
