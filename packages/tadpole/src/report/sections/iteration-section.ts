import type { IterationReport } from '@tadpole/taskpilot';
import { calibrationCandidates } from '../charts/calibration-candidates.js';
import { solveRateHistogram } from '../charts/solve-rate-histogram.js';
import { synthesisFunnel } from '../charts/synthesis-funnel.js';
import { type Html, html } from '../html.js';
import type { NumberedReport } from '../iteration-reports.js';
import { countText, percentText } from '../number-text.js';
import { driftTables } from './drift-tables.js';
import { spendingFacts } from './spending-facts.js';
import { table } from './table.js';
import { yieldTables } from './yield-tables.js';

const maxRows = 400;

/** The page of one iteration: yield, solve rates, spending, what was left out and why, drift. */
export function iterationSection({ iteration, report }: NumberedReport): Html {
  const { funnel, rates, histogram, band } = report;
  return html`<article class="iteration" id="iteration-${iteration + 1}"><h3>Iteration ${iteration + 1}</h3>
${spendingFacts(report)}
<h4>Yield by operator</h4>
${funnel.total.proposed === 0 ? html`<p class="empty">No candidate has been proposed.</p>` : html`${synthesisFunnel({ iteration, rows: funnel.byOperator })}${yieldTables(report)}`}
<h4>Solve rates</h4>
${
  rates.length === 0
    ? html`<p class="empty">No task has been measured.</p>`
    : html`${calibrationCandidates({ iteration, rates, band })}${solveRateHistogram({ iteration, bins: histogram, band })}${rateTable(rates)}`
}
<div class="pair">
<div><h4>Valid, not admitted</h4>${discardTable(report)}</div>
<div><h4>Duplicates</h4>${duplicateTable(report)}</div>
</div>
<h4>Drift</h4>
${driftTables(report)}
</article>`;
}

function rateTable(rates: IterationReport['rates']): Html {
  const left = rates.length - maxRows;
  return html`<details><summary>Every measured task</summary>${table({
    head: ['task', 'strategy', 'verdict', 'admitted', 'solved', 'unscored', 'posterior mean', '95 % interval', 'in the band with'],
    textColumns: 4,
    rows: rates
      .slice(0, maxRows)
      .map((rate) => [
        html`<code>${rate.taskId}</code>`,
        `${rate.strategy}${rate.origin === 'bank' ? ', measured before' : ''}`,
        rate.verdict,
        rate.admitted ? 'yes' : 'no',
        `${rate.successes} of ${rate.trials}`,
        rate.unscored,
        percentText(rate.mean),
        `${(rate.interval[0] * 100).toFixed(1)} to ${(rate.interval[1] * 100).toFixed(1)}`,
        percentText(rate.probabilityInBand),
      ]),
  })}${left > 0 ? html`<p class="note">${left} more are in journal.jsonl.</p>` : undefined}</details>`;
}

function discardTable({ discards }: IterationReport): Html {
  if (discards.length === 0) return html`<p class="empty">No reason is recorded.</p>`;
  return table({ head: ['reason', 'tasks'], rows: discards.map(({ reason, count }) => [reason, count]) });
}

function duplicateTable({ duplicates: { total, byKey } }: IterationReport): Html {
  if (total === 0) return html`<p class="empty">None was found.</p>`;
  return html`${table({ head: ['equal in', 'candidates'], rows: byKey.map(({ key, count }) => [key, count]) })}
<p class="note">${countText(total, 'candidate')} or tasks that repeat another: refused before execution, or discarded after it.</p>`;
}
