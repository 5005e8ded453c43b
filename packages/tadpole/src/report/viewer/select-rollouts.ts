import type { Severity } from '@tadpole/contracts';
import type { HeldOutComparison } from '../held-out-comparison.js';
import type { EventOf, RunRecords } from '../run-records.js';

type Rollout = EventOf<'rollout-end'>;
type Audit = EventOf<'audit-end'>;

/** A rollout chosen for the report, with its audit where it was flagged. */
export interface SelectedRollout {
  readonly rollout: Rollout;
  readonly audit: Audit | undefined;
}

/** Severities from least to most. */
export const severities: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical'];

/**
 * Chooses which rollouts the report carries: the flagged, worst first; the unflagged that a person should review; pairs of the same held-out task before
 * and after training, taken evenly from those gained, lost, solved both times and never; and training rollouts
 * evenly over the run. Pure: the same journal gives the same choice.
 */
export function selectRollouts(options: {
  records: RunRecords;
  comparison: HeldOutComparison;
  /** Ids of trajectories to review. @default none */
  reviewed?: readonly string[];
  /** @default 200 */
  maxFlagged?: number;
  /** @default 24 */
  maxPairs?: number;
  /** @default 12 */
  maxTraining?: number;
}): readonly SelectedRollout[] {
  const { records, comparison, reviewed = [], maxFlagged = 200, maxPairs = 24, maxTraining = 12 } = options;
  const audited = auditedRollouts(records);
  const flagged = audited
    .filter(({ audit }) => audit.findings.length > 0)
    .toSorted((a, b) => worstSeverity(b.audit) - worstSeverity(a.audit))
    .slice(0, maxFlagged);
  const reviews = audited.filter(({ audit }) => reviewed.includes(audit.trajectoryId)).map(({ rollout }) => rollout);
  const training = evenly(
    records.rollouts.filter(({ purpose }) => purpose === 'train'),
    maxTraining,
  );
  const plain = [...reviews, ...heldOutRollouts({ comparison, maxPairs }), ...training].map((rollout) => ({ rollout, audit: undefined }));
  const chosen = new Map<string, SelectedRollout>();
  for (const selected of [...flagged, ...plain]) if (!chosen.has(selected.rollout.key)) chosen.set(selected.rollout.key, selected);
  return [...chosen.values()];
}

/** Rank of the worst finding; -1 without any. */
export function worstSeverity(audit: Audit): number {
  return Math.max(-1, ...audit.findings.map(({ severity }) => severities.indexOf(severity)));
}

/** Audits with their rollouts. The harness ends a trajectory's id in the start of its rollout's key. */
function auditedRollouts(records: RunRecords): readonly { readonly rollout: Rollout; readonly audit: Audit }[] {
  const rollouts = new Map(records.rollouts.map((rollout) => [`${rollout.taskId} ${rollout.key.slice(0, 12)}`, rollout]));
  return records.audits.flatMap((audit) => {
    const rollout = rollouts.get(`${audit.taskId} ${audit.trajectoryId.slice(-12)}`);
    return rollout ? [{ rollout, audit }] : [];
  });
}

function heldOutRollouts(options: { comparison: HeldOutComparison; maxPairs: number }): readonly Rollout[] {
  const { beforeRollouts, afterRollouts } = options.comparison;
  if (afterRollouts.length === 0) return evenly(beforeRollouts, options.maxPairs * 2);
  const after = new Map(afterRollouts.map((rollout) => [pairName(rollout), rollout]));
  const kinds = new Map<string, (readonly [Rollout, Rollout])[]>();
  for (const first of beforeRollouts) {
    const second = after.get(pairName(first));
    if (!second) continue;
    const kind = `${endingOf(first)}, ${endingOf(second)}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), [first, second]]);
  }
  const rarestFirst = [...kinds.values()].sort((a, b) => a.length - b.length);
  let left = options.maxPairs;
  return rarestFirst.flatMap((pairs, index) => {
    const chosen = evenly(pairs, Math.ceil(left / (rarestFirst.length - index)));
    left -= chosen.length;
    return chosen.flat();
  });
}

function pairName({ taskId, sample }: Rollout): string {
  return `${taskId} ${sample}`;
}

function endingOf({ outcome }: Rollout): string {
  if (outcome.status === 'unscored') return 'unscored';
  return outcome.reward >= 1 ? 'solved' : 'not solved';
}

function evenly<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[Math.floor(((index + 0.5) * items.length) / count)] as T);
}
