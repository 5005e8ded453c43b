import { type Band, defaultBand } from '../calibrate/grid-prior.js';
import { combineMove } from './combine-move.js';
import { deeperMove } from './deeper-move.js';
import type { RefinementMove } from './refinement-move.js';
import { removeBodyMove } from './remove-body-move.js';
import { smallerMove } from './smaller-move.js';
import { splitMove } from './split-move.js';
import { sayLess, sayMore } from './statement-moves.js';
import { widenMove } from './widen-move.js';

/**
 * The ladder of refinements, in the order in which they are worth trying (taskpilot.md section 6). Harder: `say-less`,
 * `combine-same-file`, `combine-same-module`, `combine-across-files`, `deeper`, `widen`, `remove-body`; easier: `say-more`, `split`,
 * `smaller`. None shows hidden tests.
 *
 * Their expected effects are the table's: 1.5 logits, give or take 1, and for combinations none beyond the product of the parts'
 * rates. A statement that a model wrote keeps every move away that would need another; and where a bug comes to lie in several
 * places the statement goes down to what is true of them all.
 */
export function defaultMoves(
  options: {
    /** Combinations take parts above it and aim at its middle. @default [0.3, 0.7] */
    band?: Band;
  } = {},
): readonly RefinementMove[] {
  const [low, high] = options.band ?? defaultBand;
  const aim = { target: (low + high) / 2, easierThan: high };
  return [
    sayLess(),
    combineMove({ scope: 'same-file', ...aim }),
    combineMove({ scope: 'same-module', ...aim }),
    combineMove({ scope: 'across-files', ...aim }),
    deeperMove(),
    widenMove(),
    removeBodyMove(),
    sayMore(),
    splitMove(),
    smallerMove(),
  ];
}
