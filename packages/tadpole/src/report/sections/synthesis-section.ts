import { type OperatorFunnel, synthesisFunnel } from '../charts/synthesis-funnel.js';
import { type Html, html } from '../html.js';
import { percentText } from '../number-text.js';
import type { ReportData } from '../report-data.js';
import type { RunRecords } from '../run-records.js';
import { table } from './table.js';

/** What the generators proposed, operator by operator, and why candidates were refused. */
export function synthesisSection({ records }: ReportData): Html {
  const operators = operatorFunnels(records);
  if (operators.length === 0)
    return html`<section id="synthesis"><h2>Synthesis</h2><p class="empty">No candidate has been proposed yet.</p></section>`;
  const refused = records.refused.length;
  return html`<section id="synthesis"><h2>Synthesis</h2>
${synthesisFunnel(operators)}
${table({
  head: ['operator', 'proposed', 'refused', 'valid', 'held out', 'admitted', 'share valid'],
  rows: operators.map(({ operator, proposed, refused, heldOut, admitted }) => [
    operator,
    proposed,
    refused,
    proposed - refused,
    heldOut,
    admitted,
    percentText((proposed - refused) / proposed),
  ]),
})}
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
</section>`;
}

function operatorFunnels({ refused, validated, admitted }: RunRecords): readonly OperatorFunnel[] {
  const admittedTasks = new Set(admitted.map(({ iteration, taskId }) => `${iteration} ${taskId}`));
  const operators = new Set([...refused, ...validated].map(({ operator }) => operator));
  const funnels = [...operators].map((operator) => {
    const valid = validated.filter((event) => event.operator === operator);
    const train = valid.filter(({ split }) => split === 'train');
    const kept = train.filter(({ iteration, taskId }) => admittedTasks.has(`${iteration} ${taskId}`)).length;
    const rejected = refused.filter((event) => event.operator === operator).length;
    return {
      operator,
      proposed: rejected + valid.length,
      refused: rejected,
      heldOut: valid.length - train.length,
      notAdmitted: train.length - kept,
      admitted: kept,
    };
  });
  return funnels.sort((a, b) => b.proposed - a.proposed);
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
