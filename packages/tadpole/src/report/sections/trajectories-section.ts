import { type Html, html } from '../html.js';
import { countText } from '../number-text.js';
import type { ReportData } from '../report-data.js';
import { embedJson } from '../viewer/embed-json.js';

/** The viewer: a filtered list and one trajectory in full. The page's script fills it from the JSON block. */
export function trajectoriesSection({ records, trajectories }: ReportData): Html {
  if (records.rollouts.length === 0)
    return html`<section id="trajectories"><h2>Trajectories</h2><p class="empty">No rollout has ended yet.</p></section>`;
  const purposes = [...new Set(trajectories.map(({ purpose }) => purpose))];
  const left = records.rollouts.length - trajectories.length;
  return html`<section id="trajectories"><h2>Trajectories</h2>
<p>${countText(trajectories.length, 'rollout')} of ${records.rollouts.length.toLocaleString('en')}: the flagged ones, the same held-out tasks before and after training, solved and unsolved alike, and some of training. The other ${left.toLocaleString('en')} lie in the run's folder <code>trajectories/</code> in ATIF.</p>
<noscript><p class="empty">The viewer needs scripts; the trajectories lie in <code>trajectories/</code>.</p></noscript>
<form class="filters" onsubmit="return false">
<label>purpose <select id="filter-purpose"><option value="">all</option>${purposes.map((purpose) => html`<option>${purpose}</option>`)}</select></label>
<label>outcome <select id="filter-outcome"><option value="">all</option><option>solved</option><option>not solved</option><option>unscored</option></select></label>
<label><input type="checkbox" id="filter-flagged"> flagged only</label>
<output id="trajectory-count"></output>
</form>
<div class="viewer"><ol id="trajectory-list" aria-label="Trajectories"></ol><article id="trajectory-detail" aria-live="polite" tabindex="0"></article></div>
${embedJson({ id: 'trajectory-data', value: trajectories })}
</section>`;
}
