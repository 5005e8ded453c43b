import { TadpoleError } from '@tadpole/contracts';

/** What an iteration's tasks are spread over. */
export const mixDimensions = ['repository', 'operatorFamily', 'patchSize', 'statementRung'] as const;
/** See {@link mixDimensions}. */
export type MixDimension = (typeof mixDimensions)[number];

/** A task's kind in every dimension, as free names: `qs`, `conditions`, `tiny`, `region`. */
export type MixTask = Readonly<Record<MixDimension, string>>;

/** Shares in [0, 1] of each kind in each dimension; the shares of a dimension sum to 1. */
export type TaskMix = Readonly<Record<MixDimension, Readonly<Record<string, number>>>>;

/**
 * The mix of some tasks, for instance of iteration 1.
 * @throws TadpoleError `invalid-input` when there is none.
 */
export function mixOf(tasks: readonly MixTask[]): TaskMix {
  if (tasks.length === 0)
    throw new TadpoleError({ code: 'invalid-input', message: 'Expected at least one task to take a mix of, got none.' });
  const sharesIn = (dimension: MixDimension) => {
    const shares = [...countKinds(tasks, dimension)].map(([kind, count]) => [kind, count / tasks.length] as const);
    return Object.fromEntries(shares.sort(([left], [right]) => (left < right ? -1 : 1)));
  };
  return {
    repository: sharesIn('repository'),
    operatorFamily: sharesIn('operatorFamily'),
    patchSize: sharesIn('patchSize'),
    statementRung: sharesIn('statementRung'),
  };
}

/** How many tasks of each kind there are in a dimension. */
export function countKinds(tasks: readonly MixTask[], dimension: MixDimension): Map<string, number> {
  const counts = new Map<string, number>();
  for (const task of tasks) counts.set(task[dimension], (counts.get(task[dimension]) ?? 0) + 1);
  return counts;
}

/**
 * The shares of one dimension of a stated mix, checked.
 * @throws TadpoleError `invalid-input` when a share is negative or they do not sum to 1 (±1e-6).
 */
export function sharesOf(mix: TaskMix, dimension: MixDimension): Map<string, number> {
  const shares = new Map(Object.entries(mix[dimension]));
  const sum = [...shares.values()].reduce((total, share) => total + share, 0);
  if ([...shares.values()].every((share) => share >= 0) && Math.abs(sum - 1) <= 1e-6) return shares;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected shares of ${dimension} from 0 on that sum to 1, got ${JSON.stringify(mix[dimension])} with the sum ${sum}.`,
  });
}
