import { rate } from '@tadpole/evaluation';
import { learningCurve } from '../charts/learning-curve.js';
import { trainingSignals } from '../charts/training-signals.js';
import { type Html, html } from '../html.js';
import type { ReportData } from '../report-data.js';

/** The held-out curve, the training solve rate, and what the updates reported. */
export function learningSection({ run, records }: ReportData): Html {
  const perIteration = run.configuration.training.updatesPerIteration;
  const heldOut = records.evaluations.map(({ iteration, update, passAt1 }) => ({
    updates: iteration * perIteration + update,
    rate: passAt1,
  }));
  const training = records.updates.flatMap(({ iteration, update, metrics }) => {
    const { solved: successes, scored: trials } = metrics;
    if (successes === undefined || trials === undefined || trials === 0) return [];
    return [{ updates: iteration * perIteration + update, rate: rate({ successes, trials }) }];
  });
  const updates = records.updates.map(({ iteration, update, metrics }) => ({ number: iteration * perIteration + update + 1, metrics }));
  return html`<section id="learning"><h2>Learning</h2>
${heldOut.length + training.length === 0 ? html`<p class="empty">No evaluation and no update has ended yet.</p>` : learningCurve({ heldOut, training })}
<h3>Training signals</h3>
${updates.length === 0 ? html`<p class="empty">No update has ended yet.</p>` : trainingSignals(updates)}
</section>`;
}
