import { type IterationReport, mixDimensions } from '@tadpole/taskpilot';
import { type Html, html } from '../html.js';
import { countText, percentText } from '../number-text.js';
import { table } from './table.js';

const names = {
  repository: 'repository',
  operatorFamily: 'operator family',
  patchSize: 'patch size',
  statementRung: 'statement rung',
} as const;

/** How far the admitted tasks are from the first iteration's mix; of that iteration itself, the mix. */
export function driftTables({ kinds: { mix, drift, unknown } }: IterationReport): Html {
  if (mix === null) return html`<p class="empty">No admitted task of known kinds.</p>`;
  const left = unknown === 0 ? '' : ` ${countText(unknown, 'admitted task')} of unknown kinds left out.`;
  if (drift === null) {
    const rows = mixDimensions.flatMap((name) => Object.entries(mix[name]).map(([kind, share]) => [names[name], kind, percentText(share)]));
    return html`<p class="note">The first iteration's mix is what later ones are compared with.${left}</p>
<details><summary>Its kinds</summary>${table({ head: ['dimension', 'kind', 'share'], textColumns: 2, rows })}</details>`;
  }
  const { dimensions, fresh } = drift;
  const shares = mixDimensions.flatMap((name) =>
    dimensions[name].shares.map(({ kind, share, target, difference }) => [
      names[name],
      kind,
      percentText(share),
      percentText(target),
      (difference * 100).toFixed(1),
    ]),
  );
  return html`${table({
    head: ['dimension', 'within the limits', 'largest difference (points)', 'KL (nats)'],
    textColumns: 2,
    rows: [
      ...mixDimensions.map((name) => {
        const { holds, largestDifference, klNats } = dimensions[name];
        return [names[name], holds ? 'yes' : 'no', (largestDifference * 100).toFixed(1), klNats.toFixed(3)];
      }),
      ['fresh, unrefined tasks', fresh.holds ? 'yes' : 'no', `${percentText(fresh.share)} of at least ${percentText(fresh.minimum)}`, '–'],
    ],
  })}
<p class="note">Against the first iteration's mix: at most ten points and 0.1 nats in each dimension.${left}</p>
<details><summary>Shares by kind</summary>${table({ head: ['dimension', 'kind', 'share', 'target', 'difference (points)'], textColumns: 2, rows: shares })}</details>`;
}
