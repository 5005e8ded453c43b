import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { MutationOperator, Replacement, SyntaxPlace } from '../generator/mutation-operator.js';
import { functionAround } from '../generator/statements.js';
import { closest, descendants } from '../generator/syntax-node.js';
import type { SolvedVariants } from '../validate/control-gates.js';
import type { Rewrite } from './rewrite.js';
import { contractAssignment, expandAssignment } from './rewrites/assignment-rewrites.js';
import { deMorgan, doubleNegation, swapIfElse } from './rewrites/condition-rewrites.js';
import { mirrorComparison } from './rewrites/mirror-comparison.js';
import { nameResult } from './rewrites/name-result.js';
import { parenthesise } from './rewrites/parenthesise.js';
import { renameLocal } from './rewrites/rename-local.js';
import { swapDeclarations } from './rewrites/swap-declarations.js';
import { variantsInLines } from './variants-in-lines.js';

const allRewrites: readonly Rewrite[] = [
  parenthesise,
  mirrorComparison,
  swapIfElse,
  doubleNegation,
  deMorgan,
  expandAssignment,
  contractAssignment,
  nameResult,
  renameLocal,
  swapDeclarations,
];

const optionsSchema = z.strictObject({
  limit: z.int().min(1).default(6),
  forms: z
    .array(z.enum(allRewrites.map(({ name }) => name)))
    .min(1)
    .readonly()
    .optional(),
});

/**
 * Right fixes in another form for `controls.otherFixes`: the solved file with one rewrite that keeps its behaviour inside the
 * given lines, in an order that `random` decides and that mixes the forms. Tests that fail on one are over-tight
 * (taskpilot.md section 1, "alternative-fix control"). Every text parses and differs inside the lines alone.
 *
 * Rewritten is code of functions only, never a span with a comment or a continued line. Evaluation order, conversions, NaN
 * and `this` stay as they are. Not kept, since no fix promises them: source text (`Function.prototype.toString`, coverage, line and column
 * of a stack) and names of local variables in the engine's own error messages. None for a file of an unknown language.
 *
 * @throws TadpoleError `invalid-config` for options of the wrong form.
 */
export function behaviourPreservingRewrites(
  options: {
    /** Most texts for one file. @default 6 */
    limit?: number;
    /**
     * Names of the forms to use: `parenthesise`, `mirror-comparison`, `swap-if-else`, `double-negation`, `de-morgan`,
     * `expand-assignment`, `contract-assignment`, `name-result`, `rename-local`, `swap-declarations`. @default all
     */
    forms?: readonly string[];
  } = {},
): SolvedVariants {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    throw new TadpoleError({ code: 'invalid-config', message: `behaviourPreservingRewrites: ${z.prettifyError(parsed.error)}` });
  }
  const { limit, forms } = parsed.data;
  const operators = allRewrites.filter(({ name }) => forms?.includes(name) ?? true).map(toOperator);
  return variantsInLines({ operators, limit, marginLines: 0 });
}

/** A rewrite under the rules that hold for all of them. */
function toOperator({ name, nodeTypes, rewrites }: Rewrite): MutationOperator {
  return {
    name,
    // no bug, so that its family is read by nobody
    family: 'shuffles',
    nodeTypes,
    mutations: (place) => (isPlainCode(place) ? rewrites(place).filter((parts) => parts.every((part) => isPlainSpan(part, place))) : []),
  };
}

/** In a function, and not in a text with expressions in it. */
function isPlainCode({ node, language }: SyntaxPlace): boolean {
  const isText = closest(node, ({ type }) => language.texts.includes(type)) !== null;
  return !isText && functionAround(node, language) !== null;
}

function isPlainSpan({ start, end }: Replacement, { node, language, text }: SyntaxPlace): boolean {
  if (/\\\r?\n/.test(text.slice(start, end))) return false;
  const statement = node.parent ?? node;
  const comments = [...descendants(statement)].filter(({ type }) => language.comments.includes(type));
  return !comments.some((comment) => comment.start < end && start < comment.end);
}
