import type { Language } from '../generator/languages/language.js';
import type { Replacement, SyntaxPlace } from '../generator/mutation-operator.js';

/** One way to write the same behaviour in another form. */
export interface Rewrite {
  /** Kebab-case. */
  readonly name: string;
  /** Node types that it is asked about; none where the form would not keep the behaviour in this language. */
  nodeTypes(language: Language): readonly string[];
  /** The rewrites at a node: each one alone, as replacements that do not overlap; none when in doubt. Pure. */
  rewrites(place: SyntaxPlace): readonly (readonly Replacement[])[];
}
