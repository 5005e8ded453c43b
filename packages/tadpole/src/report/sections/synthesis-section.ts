import { type Html, html } from '../html.js';
import { percentText } from '../number-text.js';
import type { ReportData } from '../report-data.js';
import type { RunRecords } from '../run-records.js';
import { iterationSection } from './iteration-section.js';
import { savingText } from './spending-facts.js';
import { table } from './table.js';

/** What the generators proposed and what became of it: all iterations in one table, why candidates were refused, and a page for each. */
export function synthesisSection({ records, iterations }: Pick<ReportData, 'records' | 'iterations'>): Html {
  if (iterations.length === 0)
    return html`<section id="synthesis"><h2>Synthesis</h2><p class="empty">No candidate has been proposed yet.</p></section>`;
  const refused = records.refused.length;
  return html`<section id="synthesis"><h2>Synthesis</h2>
${iterationTable(iterations)}
${
  records.validated.some(({ split }) => split === 'held-out')
    ? html`<p class="note">The first iteration's candidates include those of the held-out tasks, which are proposed before it.</p>`
    : ''
}
<h3>Why candidates were refused</h3>
${
  refused === 0
    ? html`<p class="empty">None was refused.</p>`
    : table({
        head: ['reason', 'an example', 'candidates', 'share of refused'],
        textColumns: 2,
        rows: reasons(records).map(({ reason, example, count }) => [
          reason,
          html`<span class="clip">${example}</span>`,
          count,
          percentText(count / refused),
        ]),
      })
}
${iterations.map(iterationSection)}
</section>`;
}

function iterationTable(iterations: ReportData['iterations']): Html {
  return table({
    head: [
      'iteration',
      'proposed',
      'valid',
      'measured',
      'in band',
      'admitted',
      'rollouts',
      'an admitted task',
      'saved against eight fixed',
      'cost (USD)',
    ],
    rows: iterations.map(({ iteration, report: { funnel, admitted, rollouts, cost } }) => [
      html`<a href="#iteration-${iteration + 1}">Iteration ${iteration + 1}</a>`,
      funnel.total.proposed,
      funnel.total.valid,
      funnel.total.measured + funnel.carried.measured,
      funnel.total.inBand + funnel.carried.inBand,
      admitted,
      rollouts.asked,
      rollouts.perAdmitted === null ? '–' : rollouts.perAdmitted.toFixed(1),
      rollouts.saving === null ? '–' : savingText(rollouts.saving),
      cost.usd === null ? '–' : cost.usd.toFixed(2),
    ]),
  });
}

function reasons({ refused }: RunRecords): readonly { reason: string; example: string; count: number }[] {
  const found = new Map<string, { reason: string; example: string; count: number }>();
  for (const { reason, source, detail } of refused) {
    const entry = found.get(reason) ?? { reason, example: `${source}: ${detail.slice(0, 300)}`, count: 0 };
    entry.count += 1;
    found.set(reason, entry);
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}
