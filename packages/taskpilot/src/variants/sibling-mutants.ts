import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { MutationOperator } from '../generator/mutation-operator.js';
import { mutationOperators } from '../generator/mutation-operators.js';
import type { SolvedVariants } from '../validate/control-gates.js';
import { variantsInLines } from './variants-in-lines.js';

const optionsSchema = z.strictObject({
  operators: z.array(z.custom<MutationOperator>()).min(1).readonly().default(mutationOperators),
  limit: z.int().min(1).default(8),
  marginLines: z.int().min(0).default(0),
});

/**
 * Wrong fixes for `controls.wrongFixes`: the solved file with one bug inside the given lines, in an order that `random`
 * decides and that mixes the operators. Tests that let several through grade by luck (taskpilot.md section 1, "weak hidden
 * tests"). Every text parses and differs from the solved file inside the lines
 * (and their margin, where one is asked for) alone. None for a file of an unknown language.
 *
 * Not covered: a mutant may be equivalent to the solution; the gate therefore asks for two of four.
 *
 * @throws TadpoleError `invalid-config` for options of the wrong form.
 */
export function siblingMutants(
  options: {
    /** @default {@link mutationOperators} */
    operators?: readonly MutationOperator[];
    /** Most texts for one file. @default 8 */
    limit?: number;
    /** Lines around the given ones where bugs may lie too, nearest first: more wrong fixes for a small patch. @default 0 */
    marginLines?: number;
  } = {},
): SolvedVariants {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    throw new TadpoleError({ code: 'invalid-config', message: `siblingMutants: ${z.prettifyError(parsed.error)}` });
  }
  return variantsInLines(parsed.data);
}
