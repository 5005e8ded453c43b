import type { Language } from './languages/language.js';
import type { SyntaxNode } from './syntax-node.js';

/** Replace characters [start, end) of the file by `text`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What sort of bug an operator makes; shares are balanced and reported by it. */
export type OperatorFamily =
  | 'operators'
  | 'constants'
  | 'conditions'
  | 'control-flow'
  | 'calls'
  | 'removals'
  | 'bodies'
  | 'shuffles'
  | 'classes';

/** A node that an operator is asked about, in its file. */
export interface SyntaxPlace {
  readonly node: SyntaxNode;
  /** The whole file. */
  readonly text: string;
  readonly language: Language;
}

/** One kind of bug: where it applies and what it writes there. It reads roles, so one operator serves all languages. */
export interface MutationOperator {
  /** Kebab-case; recorded in the task's lineage and never shown to the agent. */
  readonly name: string;
  readonly family: OperatorFamily;
  /** Node types of a language that it is asked about; none where the language has no place for this bug. */
  nodeTypes(language: Language): readonly string[];
  /** The bugs it can make at a node: each one alone, as replacements that do not overlap; none is also an answer. Pure. */
  mutations(place: SyntaxPlace): readonly (readonly Replacement[])[];
}
