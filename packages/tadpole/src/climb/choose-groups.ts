import type { Task } from '@tadpole/contracts';
import { seededRandom } from '@tadpole/taskpilot';
import type { Configuration } from '../run/configuration.js';
import type { RolloutRequest } from './roll-out-journaled.js';

/**
 * Groups of an update: its next tasks in the iteration's order, going round; a task is at most once in an update. What is chosen
 * depends on the arguments alone, so that a resumed run chooses the same.
 *
 * @param options.from - groups of the update that were chosen before
 */
export function chooseGroups(options: {
  configuration: Configuration;
  tasks: readonly Task[];
  iteration: number;
  update: number;
  from: number;
  count: number;
}): readonly RolloutRequest[] {
  const { configuration, tasks, iteration, update, from, count } = options;
  const { groupsPerUpdate, groupSize } = configuration.training;
  const order = shuffle({ items: tasks, random: seededRandom(`${configuration.seed} order ${iteration}`) });
  const first = update * Math.min(groupsPerUpdate, order.length) + from;
  const samples = Array.from({ length: groupSize }, (_, index) => update * groupSize + index);
  return Array.from({ length: Math.min(count, order.length - from) }, (_, index) => ({
    task: order[(first + index) % order.length] as Task,
    samples,
  }));
}

function shuffle<Item>(options: { items: readonly Item[]; random: () => number }): readonly Item[] {
  const shuffled = [...options.items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(options.random() * (last + 1));
    const moved = shuffled[last] as Item;
    shuffled[last] = shuffled[other] as Item;
    shuffled[other] = moved;
  }
  return shuffled;
}
