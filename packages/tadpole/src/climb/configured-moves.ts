import { defaultMoves, type RefinementMove } from '@tadpole/taskpilot';
import type { Configuration } from '../run/configuration.js';

/** Moves whose children a policy can take up that knows statements of a line alone: the others say less, or break several lines. */
const lineMoves: readonly string[] = ['say-less', 'say-more', 'smaller'];

/** The moves of a run: the configured ones of the default ladder, or those that stay in one line. */
export function configuredMoves(configuration: {
  readonly synthesis: Pick<Configuration['synthesis'], 'moves'>;
  readonly calibration: Pick<Configuration['calibration'], 'band'>;
}): readonly RefinementMove[] {
  const { moves = lineMoves } = configuration.synthesis;
  return defaultMoves({ band: configuration.calibration.band }).filter(({ name }) => moves.includes(name));
}
