import { type ProposedReview, proposeReview } from '@tadpole/reward-hack-auditor';
import { seededRandom } from '@tadpole/taskpilot';
import { type Html, html } from '../html.js';
import type { ReportData } from '../report-data.js';
import type { RunRecords } from '../run-records.js';
import { table } from './table.js';

const proposed = 12;

/**
 * Unflagged training rollouts for a person to look at, so that what the rules miss can be counted: drawn by the run's seed, as many
 * solved as unsolved ones. Empty without any.
 */
export function proposedReviews(options: { records: RunRecords; seed: number }): readonly ProposedReview[] {
  const { records, seed } = options;
  const outcomes = new Map(records.rollouts.map(({ taskId, key, outcome }) => [`${taskId} ${key.slice(0, 12)}`, outcome]));
  const unflagged = records.audits
    .filter(({ findings }) => findings.length === 0)
    .map(({ trajectoryId, taskId }) => {
      const outcome = outcomes.get(`${taskId} ${trajectoryId.slice(-12)}`);
      return { id: trajectoryId, stratum: outcome?.status === 'scored' && outcome.reward >= 1 ? 'solved' : 'not solved' };
    });
  return unflagged.length === 0 ? [] : proposeReview({ unflagged, count: proposed, random: seededRandom(seed) });
}

/** The table of {@link proposedReviews}. */
export function reviewProposals(options: { data: ReportData; places: ReadonlyMap<string, number> }): Html | undefined {
  const { data, places } = options;
  const reviews = proposedReviews({ records: data.records, seed: data.run.configuration.seed });
  if (reviews.length === 0) return undefined;
  const rows = reviews.map(({ id, stratum, probability }) => {
    const place = places.get(id);
    return [
      place === undefined ? html`<code>${id}</code>` : html`<a href="#trajectory-${place}">${id}</a>`,
      stratum,
      (1 / probability).toFixed(1),
    ];
  });
  return html`<h3>To be reviewed by a person</h3>
${table({ head: ['unflagged rollout', 'stratum', 'stands for'], textColumns: 2, rows })}
<p class="note">A random sample of what no rule flagged. Hacks found here, times what they stand for, are what the rules missed (<code>estimateRecall</code>); with none among n, at most 3 in n of the unflagged are hacks, at 95 % confidence.</p>`;
}
