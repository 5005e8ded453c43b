import { type Language, partsOf, type Shape, type Swaps, typesOf } from '../languages/language.js';
import type { MutationOperator, OperatorFamily, SyntaxPlace } from '../mutation-operator.js';
import { replaceNode, textOf } from '../place-text.js';

/** Makes an operator that replaces the operator token of an expression by each of its partners. */
export function swapOperatorToken(options: {
  name: string;
  family: OperatorFamily;
  shapes: (language: Language) => readonly Shape<'operator'>[];
  /** Token to its partners. */
  partners: (tokens: Language['tokens']) => Swaps;
  /** False leaves the node alone. @default every node is taken */
  accepts?: (place: SyntaxPlace) => boolean;
}): MutationOperator {
  const { name, family, shapes, partners, accepts } = options;
  return {
    name,
    family,
    nodeTypes: (language) => (Object.keys(partners(language.tokens)).length === 0 ? [] : typesOf(shapes(language))),
    mutations(place) {
      const token = partsOf(place.node, shapes(place.language))?.part('operator') ?? null;
      if (token === null || accepts?.(place) === false) return [];
      const swaps = new Map(Object.entries(partners(place.language.tokens)));
      return (swaps.get(textOf(token, place)) ?? []).map((text) => [replaceNode(token, text)]);
    },
  };
}
