import { type Language, partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator, SyntaxPlace } from '../mutation-operator.js';
import { exchangeNodes, partsIn, textOf, wordsOf } from '../place-text.js';
import { bindsName, bodySpan, functionAround, isTextStatement } from '../statements.js';
import type { SyntaxNode } from '../syntax-node.js';

/** Exchanges two neighbouring statements when one works on what the other names, so that their order matters. */
export const swapStatements: MutationOperator = {
  name: 'swap-statements',
  family: 'shuffles',
  nodeTypes: (language) => language.blocks,
  mutations(place) {
    const { node, language } = place;
    if (functionAround(node, language) === null) return [];
    const movable = new Set([...language.expressionStatements, ...typesOf(language.assignments)]);
    const statements = partsIn(node, place);
    return statements.slice(1).flatMap((right, index) => {
      const left = statements[index];
      if (left === undefined || !movable.has(left.type) || !movable.has(right.type) || isTextStatement(left, place)) return [];
      return depend(left, right, place) && !bindsName(left, place) ? [exchangeNodes(left, right, place)] : [];
    });
  },
};

/** Two neighbouring functions that differ in their names alone, up to their bodies, do each other's work. */
export const swapBodies: MutationOperator = {
  name: 'swap-bodies',
  family: 'shuffles',
  nodeTypes: (language) => language.blocks,
  mutations(place) {
    const functions = partsIn(place.node, place).flatMap((node) => signature(node, place) ?? []);
    return functions.slice(1).flatMap((right, index) => {
      const left = functions[index];
      if (left === undefined || left.header !== right.header || left.code === right.code) return [];
      return [
        [
          { start: left.start, end: left.end, text: right.code },
          { start: right.start, end: right.end, text: left.code },
        ],
      ];
    });
  },
};

function signature(node: SyntaxNode, place: SyntaxPlace) {
  const { language, text } = place;
  const parts = partsOf(node, language.functions);
  const [name, body] = [parts?.part('name') ?? null, parts?.part('body') ?? null];
  const span = bodySpan(body, place);
  if (name === null || body === null || span === null || isSpecial(textOf(name, place), language)) return null;
  const code = text.slice(span.start, span.end);
  if (language.superCallees.length > 0 && /\bsuper\b/.test(code)) return null;
  return { ...span, code, header: `${text.slice(node.start, name.start)} ${text.slice(name.end, body.start)}` };
}

/** Whether the language itself calls a function of that name, and so expects a result of a certain kind. */
function isSpecial(name: string, { constructors }: Language): boolean {
  return constructors.includes(name) || /^__\w+__$/.test(name);
}

function depend(left: SyntaxNode, right: SyntaxNode, place: SyntaxPlace): boolean {
  const [first, second] = [wordsOf(textOf(left, place)), wordsOf(textOf(right, place))];
  const [leftRoot, rightRoot] = [first[0], second[0]];
  if (leftRoot === undefined || rightRoot === undefined || textOf(left, place) === textOf(right, place)) return false;
  return second.includes(leftRoot) || first.includes(rightRoot);
}
