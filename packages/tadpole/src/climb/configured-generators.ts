import type { Generator } from '@tadpole/contracts';
import { createMutationGenerator, lineOperators, mutationGenerators, singleLineEdit } from '@tadpole/taskpilot';
import type { Configuration } from '../run/configuration.js';

interface Configured {
  readonly synthesis: Pick<Configuration['synthesis'], 'operators'>;
}

/**
 * The generators of a run's training tasks: small edits in one line that occurs once, by all such operators or the configured ones,
 * one generator for each family.
 */
export function configuredGenerators(configuration: Configured): readonly Generator[] {
  return mutationGenerators({ operators: chosenOperators(configuration), accepts: singleLineEdit() });
}

/** The same operators in one generator, in which every operator has the same weight: what held-out tasks are made by. */
export function configuredHeldOutGenerator(configuration: Configured): Generator {
  return createMutationGenerator({ operators: chosenOperators(configuration), accepts: singleLineEdit() });
}

function chosenOperators({ synthesis: { operators } }: Configured) {
  return operators === undefined ? lineOperators : lineOperators.filter(({ name }) => operators.includes(name));
}
