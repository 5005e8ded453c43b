import { type RealisedSummary, realisedRates } from '@tadpole/taskpilot';
import { calibrationRealised } from '../charts/calibration-realised.js';
import { type Html, html } from '../html.js';
import { countText, percentText, pointsText } from '../number-text.js';
import type { ReportData } from '../report-data.js';

/** Whether the admitted tasks kept to what calibration measured; what it measured stands with each iteration. */
export function calibrationSection({ run, records, iterations }: ReportData): Html {
  const { admitted, rollouts } = records;
  const measured = records.calibrated.filter(({ trials }) => trials > 0);
  const { tasks, overall } = realisedRates({ events: [...measured, ...admitted, ...rollouts], seed: run.configuration.seed });
  const trials = measured.reduce((sum, entry) => sum + entry.trials, 0);
  return html`<section id="calibration"><h2>Calibration</h2>
${
  measured.length === 0
    ? html`<p class="empty">No task has been measured yet.</p>`
    : html`<p>${countText(measured.length, 'task')} measured against the policy of their iteration with ${countText(trials, 'scored rollout')}; ${admitted.length} admitted. The rates: ${iterations.map(({ iteration }) => html`<a href="#iteration-${iteration + 1}">iteration ${iteration + 1}</a> `)}</p>`
}
<h3>Predicted and realised</h3>
${overall === null ? html`<p class="empty">No admitted task has been trained on yet.</p>` : html`${calibrationRealised(tasks)}<p>${overallText(overall)}</p>`}
</section>`;
}

function overallText({ tasks, meanPredicted, meanRealised, difference, interval, covers }: RealisedSummary): string {
  const means = `Over ${countText(tasks, 'task')}, mean predicted ${percentText(meanPredicted)}, mean realised ${percentText(meanRealised)}`;
  if (interval === null) return `${means}; one task alone gives no interval.`;
  const verdict = covers
    ? 'holds 0: calibration kept its word, as far as so many tasks can tell'
    : 'does not hold 0: the tasks were solved more or less often than predicted';
  return `${means}: ${pointsText({ difference, interval })}. The interval, a paired bootstrap over tasks, ${verdict}.`;
}
