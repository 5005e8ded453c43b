import type { Rate } from '@tadpole/contracts';
import type { FunnelRow, IterationReport } from '@tadpole/taskpilot';
import { type Html, html } from '../html.js';
import { table } from './table.js';

/** The funnel by operator and by strategy, and what each operator's candidates were refused for. */
export function yieldTables({ funnel }: IterationReport): Html {
  const { byOperator, byStrategy, total, carried } = funnel;
  const all = { name: 'all', ...total };
  return html`${funnelTable({ of: 'operator', rows: [...byOperator, all] })}
<h4>By strategy</h4>
${funnelTable({ of: 'generator or refinement move', rows: [...byStrategy, all] })}
<p class="note">Percentages with 95 % Wilson intervals: valid of the proposed, in the band of the measured, admitted of those valid for training. Measured means at least one scored rollout. ${carriedText(carried)}</p>
${
  total.refused === 0
    ? undefined
    : html`<details><summary>Refusals by operator</summary>${table({
        head: ['operator', 'reasons', 'refused'],
        textColumns: 2,
        rows: [...byOperator, all].map(({ name, refusals, refused }) => [name, refusalsText(refusals), refused]),
      })}</details>`
}`;
}

function funnelTable(options: { of: string; rows: readonly FunnelRow[] }): Html {
  return table({
    head: [options.of, 'proposed', 'valid', 'held out', 'measured', 'in band', 'admitted', 'valid (%)', 'in band (%)', 'admitted (%)'],
    rows: options.rows.map(({ name, proposed, valid, heldOut, measured, inBand, admitted, shares }) => [
      name,
      proposed,
      valid,
      heldOut,
      measured,
      inBand,
      admitted,
      ...[shares.valid, shares.inBand, shares.admitted].map(shareText),
    ]),
  });
}

/** `44 [32, 58]`, in whole percent: the counts beside it say the rest. */
function shareText(share: Rate | null): string {
  if (share === null) return '–';
  const [rate, low, high] = [share.rate, ...share.interval].map((value) => (value * 100).toFixed(0));
  return `${rate} [${low}, ${high}]`;
}

function refusalsText(refusals: FunnelRow['refusals']): string {
  return refusals.length === 0 ? '–' : refusals.map(({ reason, count }) => `${reason} ${count}`).join(', ');
}

function carriedText({ measured, inBand, admitted }: IterationReport['funnel']['carried']): string {
  if (measured + admitted === 0) return 'No task of an earlier iteration was measured again.';
  return `Not among them: ${measured} tasks of earlier iterations that were measured again, ${inBand} of them in the band, ${admitted} admitted.`;
}
