import { recipeConfiguration } from '../../recipe/recipe-configuration.js';
import { type Configuration, configurationHash } from '../../run/configuration.js';
import { type Html, html } from '../html.js';
import type { ReportData } from '../report-data.js';
import { table } from './table.js';

/** What the run was: how to make it again, versions, seeds, fingerprints, sources and the whole configuration. */
export function configurationSection({ run, records, trajectories }: ReportData): Html {
  const { configuration, versions } = run;
  const fingerprints = [...new Set(trajectories.map(({ harnessFingerprint }) => harnessFingerprint))];
  return html`<section id="configuration"><h2>Configuration</h2>
<h3>To make it again</h3>
<pre class="command">${reproduction(configuration)}</pre>
<p class="note">The same seed and versions give the same candidate tasks and sampling seeds. Limits of wall time and another processor can still change single rollouts.</p>
<dl class="facts">
<dt>run</dt><dd>${run.runId}</dd>
<dt>begun</dt><dd>${run.createdAt}</dd>
<dt>seed</dt><dd>${configuration.seed}</dd>
<dt>configuration hash</dt><dd><code>${configurationHash(configuration)}</code></dd>
<dt>harness fingerprint</dt><dd>${fingerprints.length === 0 ? 'no trajectory yet' : html`<code>${fingerprints.join(', ')}</code>`}</dd>
${Object.entries(versions).map(([name, version]) => html`<dt>${name}</dt><dd>${version}</dd>`)}
</dl>
<h3>Repositories</h3>
${
  records.snapshots.length === 0
    ? html`<p class="empty">No snapshot has been taken yet.</p>`
    : table({
        head: ['source', 'split', 'snapshot', 'tests that pass untouched', 'flaky, set aside'],
        textColumns: 3,
        rows: records.snapshots.map(({ source, split, hash, tests, flaky }) => [
          source,
          split,
          html`<code>${hash.slice(0, 16)}</code>`,
          tests,
          flaky,
        ]),
      })
}
<h3>Evaluations</h3>
${
  records.evaluations.length === 0
    ? html`<p class="empty">None has ended yet.</p>`
    : table({
        head: ['evaluation', 'weights', 'solved', 'scored', 'unscored'],
        textColumns: 2,
        rows: records.evaluations.map(({ label, weightsVersion, passAt1, unscored }) => [
          label,
          html`<code>${weightsVersion}</code>`,
          passAt1.successes,
          passAt1.trials,
          unscored,
        ]),
      })
}
<details><summary>The whole configuration</summary><pre>${JSON.stringify(configuration, null, 2)}</pre></details>
</section>`;
}

/** The command that starts an equal run: a budget where the configuration is one, else with the configuration as a file. */
function reproduction(configuration: Configuration): string {
  const { seed } = configuration;
  const wanted = configurationHash(configuration);
  const budget = (['small', 'full'] as const).find((name) => configurationHash({ ...recipeConfiguration(name), seed }) === wanted);
  if (budget) return `npm run recipe -- --budget ${budget} --seed ${seed}`;
  return `# with the configuration below saved as configuration.json\nnpm run recipe -- --config configuration.json --seed ${seed}`;
}
