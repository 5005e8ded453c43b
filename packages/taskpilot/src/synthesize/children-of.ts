import type { RefinedChild } from '../refine/refinable-priors.js';
import type { RefinementMove } from '../refine/refinement-move.js';
import type { OfferedTask } from './offered-task.js';

/** Says of which tasks measured at this checkpoint an offered one was made, and by which move; `undefined` for every other one. */
export function childrenOf(options: {
  offered: ReadonlyMap<string, OfferedTask>;
  moves: readonly RefinementMove[];
  checkpoint: number;
}): (taskId: string) => RefinedChild | undefined {
  const { offered, moves, checkpoint } = options;
  const names = new Set(moves.map(({ name }) => name));
  return (taskId) => {
    const { parents: ids = [], calibration } = offered.get(taskId) ?? {};
    const parents = ids.flatMap((id) => offered.get(id)?.verdict ?? []);
    if (calibration === undefined || !names.has(calibration.strategy) || parents.length === 0 || parents.length < ids.length)
      return undefined;
    return { move: calibration.strategy, parents: parents.map(({ successes, trials }) => ({ successes, trials })), checkpoint };
  };
}
