import { TadpoleError } from '@tadpole/contracts';

/** What a group can teach: only `mixed` has a gradient; the other three are dropped and counted apart. */
export type GroupSignal = 'mixed' | 'all-pass' | 'all-fail' | 'other-constant';

/**
 * Says whether the rewards [G] of a group differ, and if not, at which value they stand. Groups without
 * variance are dropped before packing, because they would only dilute the loss's denominator.
 *
 * @throws TadpoleError `invalid-input` for an empty group or a reward that is not finite.
 */
export function groupSignal(
  rewards: readonly number[],
  options: {
    /** Largest spread, and largest distance from 0 or 1, that counts as equal: rewards carry float noise. @default 1e-6 */
    tolerance?: number;
  } = {},
): GroupSignal {
  const { tolerance = 1e-6 } = options;
  if (rewards.length === 0 || !rewards.every(Number.isFinite)) {
    throw new TadpoleError({ code: 'invalid-input', message: `Expected at least one finite reward, got [${rewards.join(', ')}].` });
  }
  const smallest = Math.min(...rewards);
  const largest = Math.max(...rewards);
  if (largest - smallest > tolerance) return 'mixed';
  if (Math.abs(smallest - 1) <= tolerance) return 'all-pass';
  if (Math.abs(largest) <= tolerance) return 'all-fail';
  return 'other-constant';
}
