import { TadpoleError } from '@tadpole/contracts';
import { countKinds, type MixDimension, type MixTask, mixDimensions, sharesOf, type TaskMix } from './task-mix.js';

/** How many tasks of a kind an iteration has and should have. */
export interface MixTarget {
  readonly dimension: MixDimension;
  readonly kind: string;
  readonly have: number;
  /** Share of the target times the count, rounded so that a dimension sums to the count. */
  readonly wanted: number;
  /** Most tasks of the kind that stay within the tolerance. */
  readonly atMost: number;
  /** Tasks to ask for: `wanted - have`, never below 0. */
  readonly short: number;
  /** Tasks that may still be accepted: `atMost - have`, never below 0. */
  readonly room: number;
}

/**
 * Says of which kinds a growing iteration is short, the shortest first, so that a loop can ask for them and refuse
 * those without room. Kinds that the target does not name have a wanted number of 0.
 *
 * @throws TadpoleError `invalid-input` for a count that is no positive whole number or a target that sums to no 1.
 */
export function mixTargets(options: {
  /** Accepted so far; may be none. */
  tasks: readonly MixTask[];
  target: TaskMix;
  /** Tasks that the iteration shall have in the end. */
  count: number;
  /** Share by which a kind may exceed its target. @default 0.1 */
  maxDifference?: number;
}): MixTarget[] {
  const { tasks, target, count, maxDifference = 0.1 } = options;
  if (!(Number.isInteger(count) && count > 0)) {
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a positive whole count of tasks, got ${count}.` });
  }
  const targets = mixDimensions.flatMap((dimension) => {
    const shares = sharesOf(target, dimension);
    const counts = countKinds(tasks, dimension);
    for (const kind of counts.keys()) if (!shares.has(kind)) shares.set(kind, 0);
    const wantedOf = roundShares(shares, count);
    return [...shares].map(([kind, share]) => {
      const [have, wanted] = [counts.get(kind) ?? 0, wantedOf.get(kind) ?? 0];
      const atMost = Math.max(wanted, Math.min(count, Math.floor((share + maxDifference) * count + 1e-9)));
      return { dimension, kind, have, wanted, atMost, short: Math.max(0, wanted - have), room: Math.max(0, atMost - have) };
    });
  });
  return targets.sort((left, right) => right.short - left.short);
}

/** Largest remainders: whole numbers that sum to `count`. */
function roundShares(shares: ReadonlyMap<string, number>, count: number): Map<string, number> {
  const exact = [...shares].map(([kind, share]) => ({
    kind,
    floor: Math.floor(share * count + 1e-9),
    rest: share * count - Math.floor(share * count + 1e-9),
  }));
  const missing = count - exact.reduce((sum, { floor }) => sum + floor, 0);
  const byRest = [...exact].sort((left, right) => right.rest - left.rest);
  return new Map(byRest.map(({ kind, floor }, index) => [kind, floor + (index < missing ? 1 : 0)]));
}
