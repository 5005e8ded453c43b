import type { Generator } from '@tadpole/contracts';
import { createMutationGenerator, lineOperators, singleLineEdit } from '@tadpole/taskpilot';
import type { Configuration } from '../run/configuration.js';

/** The generator of a run: small edits in one line that occurs once, by all such operators or the configured ones. */
export function configuredGenerator(configuration: { readonly synthesis: Pick<Configuration['synthesis'], 'operators'> }): Generator {
  const { operators } = configuration.synthesis;
  const chosen = operators === undefined ? lineOperators : lineOperators.filter(({ name }) => operators.includes(name));
  return createMutationGenerator({ operators: chosen, accepts: singleLineEdit() });
}
