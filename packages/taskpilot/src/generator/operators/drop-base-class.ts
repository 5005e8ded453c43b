import { partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator, SyntaxPlace } from '../mutation-operator.js';
import { partsIn, removeSpan, textOf } from '../place-text.js';
import { closest, type SyntaxNode } from '../syntax-node.js';

/** Takes a base class away; a class that calls its base by `super` keeps a base that it has alone. */
export const dropBaseClass: MutationOperator = {
  name: 'drop-base-class',
  family: 'classes',
  nodeTypes: (language) => [...language.baseClauses, ...typesOf(language.baseLists)],
  mutations(place) {
    return place.language.baseClauses.includes(place.node.type) ? dropClause(place) : dropEntries(place);
  },
};

function dropClause(place: SyntaxPlace) {
  const { node, language, text } = place;
  const owner = closest(node, ({ type }) => language.classes.some((shape) => shape.type === type));
  if (owner === null || /\bsuper\b/.test(textOf(owner, place))) return [];
  return [[removeSpan(text.slice(0, node.start).trimEnd().length, node.end)]];
}

function dropEntries(place: SyntaxPlace) {
  const parts = partsOf(place.node, place.language.baseLists);
  const list = parts?.part('bases') ?? null;
  if (parts === null || list === null) return [];
  const entries = partsIn(list, place);
  const isBase = (entry: SyntaxNode) => ![entry.type, textOf(entry, place)].some((name) => parts.shape.except.includes(name));
  return entries.flatMap((entry, index) => {
    if (!isBase(entry)) return [];
    if (entries.length === 1) return [[removeSpan(list.start, list.end)]];
    const next = entries[index + 1];
    const before = entries[index - 1];
    return [[next === undefined ? removeSpan(before?.end ?? entry.start, entry.end) : removeSpan(entry.start, next.start)]];
  });
}
