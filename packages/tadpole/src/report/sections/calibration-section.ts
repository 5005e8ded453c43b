import { rate } from '@tadpole/evaluation';
import { calibrationCandidates } from '../charts/calibration-candidates.js';
import { calibrationRealised, type Realised } from '../charts/calibration-realised.js';
import { type Html, html } from '../html.js';
import { countText } from '../number-text.js';
import type { ReportData } from '../report-data.js';
import type { RunRecords } from '../run-records.js';

/** What calibration measured of each candidate, and whether the admitted tasks kept to it. */
export function calibrationSection({ run, records }: ReportData): Html {
  const { band } = run.configuration.calibration;
  const iterations = [...new Set(records.calibrated.map(({ iteration }) => iteration))];
  const realised = realisedTasks(records);
  const trials = records.calibrated.reduce((sum, entry) => sum + entry.trials, 0);
  return html`<section id="calibration"><h2>Calibration</h2>
${
  iterations.length === 0
    ? html`<p class="empty">No candidate has been calibrated yet.</p>`
    : html`<p>${countText(records.calibrated.length, 'candidate')} measured against the policy of their iteration with ${countText(trials, 'scored rollout')}; ${records.admitted.length} admitted.</p>`
}
${iterations.map((iteration) => calibrationCandidates({ iteration, calibrated: records.calibrated.filter((entry) => entry.iteration === iteration), band }))}
<h3>Predicted and realised</h3>
${realised.length === 0 ? html`<p class="empty">No admitted task has been trained on yet.</p>` : calibrationRealised(realised)}
</section>`;
}

/** The first training group of each admitted task that has one with a score. */
function realisedTasks({ admitted, rollouts }: RunRecords): readonly Realised[] {
  return admitted.flatMap(({ iteration, taskId, certificate: { calibration } }) => {
    const trained = rollouts.filter(
      (rollout) => rollout.purpose === 'train' && rollout.iteration === iteration && rollout.taskId === taskId,
    );
    const first = trained[0]?.weightsVersion;
    const scored = trained.flatMap(({ weightsVersion, outcome }) =>
      weightsVersion === first && outcome.status === 'scored' ? [outcome] : [],
    );
    if (!calibration || scored.length === 0) return [];
    const successes = scored.filter(({ reward }) => reward >= 1).length;
    return [{ taskId, predicted: calibration.posteriorMean, realised: rate({ successes, trials: scored.length }) }];
  });
}
