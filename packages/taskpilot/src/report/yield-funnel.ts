import type { FunnelRow, IterationReport } from './iteration-report-schema.js';
import type { ReportedEvents } from './reported-event.js';
import { shareOf } from './share-of.js';

/** What every candidate of the iteration came to, by operator and by strategy. */
export function yieldFunnel(events: ReportedEvents): IterationReport['funnel'] {
  const proposals = proposalsOf(events);
  const proposed = new Set(events.validated.map(({ taskId }) => taskId));
  const carried = events.calibrated.filter(({ taskId, trials }) => !proposed.has(taskId) && trials > 0);
  const inFunnel = proposals.filter(({ isAdmitted }) => isAdmitted).length;
  return {
    total: countsOf(proposals),
    byOperator: rowsBy(proposals, ({ operator }) => operator),
    byStrategy: rowsBy(proposals, ({ strategy }) => strategy),
    carried: {
      measured: carried.length,
      inBand: carried.filter(({ verdict }) => verdict === 'in-band').length,
      admitted: events.admitted.size - inFunnel,
    },
  };
}

/** A candidate and how far it came. */
interface Proposal {
  readonly operator: string;
  readonly strategy: string;
  /** Undefined for a valid one. */
  readonly refusal?: string;
  readonly isHeldOut: boolean;
  readonly isMeasured: boolean;
  readonly isInBand: boolean;
  readonly isAdmitted: boolean;
}

function proposalsOf({ refused, validated, calibrated, admitted }: ReportedEvents): readonly Proposal[] {
  const verdicts = new Map(calibrated.map((event) => [event.taskId, event]));
  const nowhere = { isHeldOut: false, isMeasured: false, isInBand: false, isAdmitted: false };
  return [
    ...refused.map(({ operator, strategy, reason }) => ({ operator, strategy, refusal: reason, ...nowhere })),
    ...validated.map(({ operator, strategy, taskId, split }) => {
      const verdict = verdicts.get(taskId);
      const isHeldOut = split === 'held-out';
      const isMeasured = !isHeldOut && verdict !== undefined && verdict.trials > 0;
      const isInBand = isMeasured && verdict.verdict === 'in-band';
      return { operator, strategy, isHeldOut, isMeasured, isInBand, isAdmitted: isInBand && admitted.has(taskId) };
    }),
  ];
}

/** One row a name, the most proposed first. */
function rowsBy(proposals: readonly Proposal[], nameOf: (proposal: Proposal) => string): readonly FunnelRow[] {
  const groups = new Map<string, Proposal[]>();
  for (const proposal of proposals) {
    const group = groups.get(nameOf(proposal)) ?? [];
    groups.set(nameOf(proposal), group);
    group.push(proposal);
  }
  const rows = [...groups].map(([name, group]) => ({ name, ...countsOf(group) }));
  return rows.sort((left, right) => right.proposed - left.proposed || (left.name < right.name ? -1 : 1));
}

function countsOf(proposals: readonly Proposal[]): Omit<FunnelRow, 'name'> {
  const count = (is: (proposal: Proposal) => boolean) => proposals.filter(is).length;
  const proposed = proposals.length;
  const refused = count(({ refusal }) => refusal !== undefined);
  const valid = proposed - refused;
  const heldOut = count(({ isHeldOut }) => isHeldOut);
  const measured = count(({ isMeasured }) => isMeasured);
  const inBand = count(({ isInBand }) => isInBand);
  const admitted = count(({ isAdmitted }) => isAdmitted);
  const shares = {
    valid: shareOf({ successes: valid, trials: proposed }),
    inBand: shareOf({ successes: inBand, trials: measured }),
    admitted: shareOf({ successes: admitted, trials: valid - heldOut }),
  };
  const refusals = countReasons(proposals.flatMap(({ refusal }) => refusal ?? []));
  return { proposed, refused, refusals, valid, heldOut, measured, inBand, admitted, shares };
}

/** How often each reason occurs, the most frequent first, then by name. */
export function countReasons<Reason extends string>(reasons: readonly Reason[]): readonly { reason: Reason; count: number }[] {
  const counts = new Map<Reason, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const rows = [...counts].map(([reason, count]) => ({ reason, count }));
  return rows.sort((left, right) => right.count - left.count || (left.reason < right.reason ? -1 : 1));
}
