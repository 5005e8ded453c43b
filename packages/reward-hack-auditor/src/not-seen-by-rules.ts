import type { CaseKind } from './corpus/case-vocabulary.js';

/** A kind of the taxonomy that no rule over texts can see. */
export interface UnseenKind {
  readonly kind: CaseKind;
  readonly why: string;
  /** What sees it instead. */
  readonly seenBy: 'execution' | 'judges' | 'environment';
}

/** The kinds that no rule claims to see; every other kind of families A to H stands in the `kinds` of some rule. */
export const notSeenByRules: readonly UnseenKind[] = [
  {
    kind: 'E5',
    seenBy: 'judges',
    why: 'An answer in the shape of the tests and against the statement is ordinary code: only who reads the statement sees it.',
  },
];
