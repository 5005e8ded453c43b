import { bootstrapInterval } from './bootstrap-interval.js';
import { fixedEight, fixedEightAcceptance } from './fixed-eight.js';
import type { RolloutSpending } from './iteration-report-schema.js';
import type { ReportedEvents } from './reported-event.js';
import { shareOf } from './share-of.js';

/** A measured candidate as both rules see it. */
interface Spent {
  readonly rollouts: number;
  readonly admitted: number;
  /** Probability that eight fixed rollouts would accept it. */
  readonly acceptance: number;
}

/**
 * Rollouts spent against eight fixed ones of the same measured candidates. The fixed rule is given no anchors, no
 * unscored rollouts, and none of the candidates that were refused by their prior alone, all in its favour; and
 * an admitted task is one within the quotas, while it accepts whatever has k of 3 to 5. Like for like only for a band
 * near [0.3, 0.7], for which it chooses: a wider one admits more by itself.
 *
 * `asked` is what the iteration said at its end; before it, the finished calibration rollouts, and where
 * there is none, those of the verdicts.
 */
export function rolloutSpending(options: { events: ReportedEvents; seed: number | string; resamples?: number }): RolloutSpending {
  const { events, seed, resamples } = options;
  const { asked, unscored } = askedRollouts(events);
  const candidates = events.calibrated
    .filter(({ trials }) => trials > 0)
    .map(
      ({ taskId, successes, trials, unscored }): Spent => ({
        rollouts: trials + unscored,
        admitted: events.admitted.has(taskId) ? 1 : 0,
        acceptance: fixedEightAcceptance({ successes, trials }),
      }),
    );
  /** Of anchors, and of tasks without a verdict. */
  const others = Math.max(0, asked - sum(candidates, ({ rollouts }) => rollouts));
  const savingOf = (drawn: readonly Spent[]) => {
    const perAdmitted = (others + sum(drawn, ({ rollouts }) => rollouts)) / sum(drawn, ({ admitted }) => admitted);
    return 1 - perAdmitted / perAcceptedOf(drawn);
  };
  const isComparable = candidates.some(({ admitted }) => admitted === 1);
  const statistic = { items: candidates, statistic: savingOf, seed };
  return {
    asked,
    unscored,
    infrastructure: shareOf({ successes: unscored, trials: asked }),
    rounds: events.rounds.length,
    perAdmitted: events.admitted.size === 0 ? null : asked / events.admitted.size,
    fixedEight: {
      candidates: candidates.length,
      rollouts: fixedEight.trials * candidates.length,
      expectedAccepted: sum(candidates, ({ acceptance }) => acceptance),
      perAccepted: candidates.length === 0 ? null : perAcceptedOf(candidates),
    },
    saving: isComparable
      ? { share: savingOf(candidates), interval: bootstrapInterval(resamples === undefined ? statistic : { ...statistic, resamples }) }
      : null,
  };
}

function perAcceptedOf(candidates: readonly Spent[]): number {
  return (fixedEight.trials * candidates.length) / sum(candidates, ({ acceptance }) => acceptance);
}

function askedRollouts({ end, rollouts, calibrated }: ReportedEvents): { asked: number; unscored: number } {
  if (end !== undefined) return { asked: end.rollouts, unscored: end.unscored };
  const finished = rollouts.filter(({ purpose }) => purpose === 'calibration');
  if (finished.length > 0) {
    return { asked: finished.length, unscored: finished.filter(({ outcome }) => outcome.status === 'unscored').length };
  }
  return { asked: sum(calibrated, ({ trials, unscored }) => trials + unscored), unscored: sum(calibrated, ({ unscored }) => unscored) };
}

function sum<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += measure(item);
  return total;
}
