import { defaultMoves, type RefinementMove } from '@tadpole/taskpilot';
import type { Configuration } from '../run/configuration.js';

/** Moves that keep the bug in its line: the others break several lines, or bring in operators that were not configured. */
const lineMoves: readonly string[] = ['say-less', 'say-more'];

/** The moves of a run: the configured ones of the default ladder, or those that change the statement alone. */
export function configuredMoves(configuration: {
  readonly synthesis: Pick<Configuration['synthesis'], 'moves'>;
  readonly calibration: Pick<Configuration['calibration'], 'band'>;
}): readonly RefinementMove[] {
  const { moves = lineMoves } = configuration.synthesis;
  return defaultMoves({ band: configuration.calibration.band }).filter(({ name }) => moves.includes(name));
}
