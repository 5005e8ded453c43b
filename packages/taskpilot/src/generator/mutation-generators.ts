import type { Generator } from '@tadpole/contracts';
import { createMutationGenerator } from './create-mutation-generator.js';
import type { MutationOperator } from './mutation-operator.js';
import { mutationOperators } from './mutation-operators.js';
import type { ProposedEdit } from './single-line-edit.js';

/**
 * One procedural generator for each family of operators, named `mutation-<family>`: bugs of different families differ in
 * difficulty, so that each is a strategy of its own. Takes what `createMutationGenerator` takes.
 */
export function mutationGenerators(
  options: {
    /** @default mutationOperators */
    operators?: readonly MutationOperator[];
    /** Which edits are proposed. @default all */
    accepts?: (edit: ProposedEdit) => boolean;
  } = {},
): readonly Generator[] {
  const { operators = mutationOperators, accepts } = options;
  return [...new Set(operators.map(({ family }) => family))].map((family) =>
    createMutationGenerator({
      name: `mutation-${family}`,
      operators: operators.filter((operator) => operator.family === family),
      ...(accepts === undefined ? {} : { accepts }),
    }),
  );
}
