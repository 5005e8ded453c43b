import { durationText } from '../../progress/progress-lines.js';
import { rateComparison } from '../charts/rate-comparison.js';
import { type Html, html } from '../html.js';
import { countText, percentText, pointsText, pValueText } from '../number-text.js';
import type { ReportData } from '../report-data.js';
import { moneyText, readingText, stateText } from '../result-text.js';

/** The result before anything else: before and after, the paired test, the price, and what is not claimed. */
export function headlineSection({ run, result, comparison }: ReportData): Html {
  const { before, after } = comparison;
  const rows = [before, after].flatMap((evaluation) => (evaluation ? [{ label: evaluation.label, rate: evaluation.passAt1 }] : []));
  return html`<header>
<p class="kicker">Tadpole run report · ${run.runId} · seed ${result.seed} · ${stateText(result)}</p>
<h1>${title({ result })}</h1>
<div class="result">
${rows.length === 0 ? html`<p class="empty">No evaluation of the held-out tasks has ended yet.</p>` : rateComparison(rows)}
<ul class="tiles">
${tile({ value: differenceText(result), label: 'difference in percentage points, with its 95 % interval' })}
${tile({ value: result.pValue === null ? '–' : pValueText(result.pValue), label: 'exact two-sided McNemar test over pairs of the same task and seed' })}
</ul>
</div>
<ul class="tiles wide">
${tile({ value: `${result.tasksAdmitted.toLocaleString('en')} / ${result.heldOutTasks.toLocaleString('en')}`, label: 'tasks learned from / held out' })}
${tile({ value: countText(result.updates, 'update'), label: `from ${countText(result.rollouts.train, 'training rollout')}` })}
${tile({ value: result.tokens.completion.toLocaleString('en'), label: `tokens generated; ${result.tokens.prompt.toLocaleString('en')} read` })}
${tile({ value: durationText(result.workedMs), label: `of wall time on this machine; ${moneyText(result)}` })}
</ul>
<div class="pair">
<div><h2>What is claimed</h2>${claims({ result })}</div>
<div><h2>What is not claimed</h2>${limits({ result, statementRung: run.configuration.synthesis.statementRung })}</div>
</div>
</header>`;
}

function title({ result: { before, after, pValue, difference } }: Pick<ReportData, 'result'>): string {
  if (!before) return 'Not evaluated yet';
  if (!after) return `${percentText(before.rate)} of held-out tasks solved before training; not evaluated after it yet`;
  const numbers = `${percentText(before.rate)} before, ${percentText(after.rate)} after`;
  if (pValue === null || difference === null || pValue >= 0.05) return `Held-out tasks solved: ${numbers}; no difference shown`;
  return `Held-out tasks solved: ${numbers}`;
}

function differenceText({ difference, differenceInterval: interval }: ReportData['result']): string {
  return difference === null || interval === null ? '–' : pointsText({ difference, interval }).replace('percentage points ', '');
}

function tile(options: { value: string; label: string }): Html {
  return html`<li><b>${options.value}</b><span>${options.label}</span></li>`;
}

function claims({ result }: Pick<ReportData, 'result'>): Html {
  const { paired } = result;
  if (!paired) return html`<p>Nothing yet: the comparison needs an evaluation before training and one after it.</p>`;
  return html`<ul>
<li>${countText(paired.pairs, 'pair')} of the same held-out task with the same seed, scored in both evaluations: ${paired.onlyAfter} solved only after training, ${paired.onlyBefore} only before, ${paired.bothPassed} both times, ${paired.neither} never.</li>
<li>Reading: ${readingText(result)}.</li>
<li>Left out as unscored or unpaired: ${paired.unpaired.unscored + paired.unpaired.before + paired.unpaired.after}. A failure of the infrastructure is never counted as a failure of the policy.</li>
<li>Method: ${paired.method}.</li>
</ul>`;
}

function limits(options: { result: ReportData['result']; statementRung: string }): Html {
  const { result, statementRung } = options;
  const clustered =
    result.samplesPerTask > 1
      ? html`<li>Samples of one task are not independent; with ${result.samplesPerTask} of each, interval and p-value are too narrow.</li>`
      : undefined;
  return html`<ul>
<li>One training run with one seed. The interval covers the choice of tasks and sampling, not another training run.</li>
<li>Held-out tasks come from files that no training task was made from, by the same generators, with statements of the rung “${statementRung}”. Nothing is said about other kinds of tasks.</li>
<li>Tasks of the same file resemble each other; the test takes them as independent.</li>
${clustered}
</ul>`;
}
