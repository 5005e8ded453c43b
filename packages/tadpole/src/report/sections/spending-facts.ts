import { formatRate } from '@tadpole/evaluation';
import { defaultBand, type IterationReport } from '@tadpole/taskpilot';
import { type Html, html } from '../html.js';
import { bandText, countText, percentText } from '../number-text.js';

const endings = { count: 'enough tasks', budget: 'no budget left', exhausted: 'no candidate left' } as const;

/** Rollouts against eight fixed ones, the infrastructure's share, the gain in ability, and the price. */
export function spendingFacts(report: IterationReport): Html {
  const { rollouts, admitted, ended, shift, cost } = report;
  const { fixedEight } = rollouts;
  return html`<dl class="facts">
<dt>admitted</dt><dd>${countText(admitted, 'task')}; ended with: ${ended === null ? 'not ended yet' : endings[ended]}</dd>
<dt>rollouts spent</dt><dd>${countText(rollouts.asked, 'rollout')} asked for in ${countText(rollouts.rounds, 'round')}, those of anchors and unscored ones included; ${eachText(rollouts.perAdmitted, 'admitted task')}</dd>
<dt>eight fixed rollouts</dt><dd>${countText(fixedEight.rollouts, 'rollout')} of the same ${countText(fixedEight.candidates, 'measured task')}, of which 3 to 5 solved would accept ${fixedEight.expectedAccepted.toFixed(1)} on average; ${eachText(fixedEight.perAccepted, 'accepted task')}. Each task's chance is beta-binomial from its count and Beta(.4, .4).</dd>
<dt>saved an admitted task</dt><dd>${savingText(rollouts.saving)}${bandNote(report.band)}</dd>
<dt>infrastructure</dt><dd>${rollouts.infrastructure === null ? 'no rollout yet' : `${formatRate(rollouts.infrastructure)} of the rollouts have no score; they count as nothing else`}</dd>
<dt>ability</dt><dd>${shiftText(shift)}</dd>
<dt>cost</dt><dd>${costText(cost)}</dd>
<dt>executions of tests</dt><dd>${cost.executions === null ? 'known when the iteration has ended' : cost.executions.toLocaleString('en')}</dd>
</dl>`;
}

function eachText(rollouts: number | null, of: string): string {
  return rollouts === null ? `no ${of} yet` : `${rollouts.toFixed(1)} an ${of}`;
}

/** `49.6 % [38.0, 58.3]` */
export function savingText(saving: IterationReport['rollouts']['saving']): string {
  if (saving === null) return 'nothing is admitted yet';
  const { share, interval } = saving;
  if (interval === null) return `${percentText(share)}; too few tasks for an interval`;
  return `${percentText(share)} [${(interval[0] * 100).toFixed(1)}, ${(interval[1] * 100).toFixed(1)}]`;
}

/** Eight rollouts with 3 to 5 solved choose for the usual band; another one is not chosen like for like. */
function bandNote(band: IterationReport['band']): string {
  if (band[0] === defaultBand[0] && band[1] === defaultBand[1]) return '';
  return `. Not like for like: 3 to 5 of 8 choose for solve rates ${bandText(defaultBand)}, this iteration for those ${bandText(band)}`;
}

function shiftText(shift: IterationReport['shift']): string {
  if (shift === null) return 'no anchor was measured';
  const { logits, interval, anchors } = shift;
  return `${logits > 0 ? '+' : ''}${logits.toFixed(2)} logits [${interval[0].toFixed(2)}, ${interval[1].toFixed(2)}] since the checkpoint before, from ${countText(anchors, 'anchor')}`;
}

function costText({ usd, usdPerAdmitted, unpricedRollouts, tokens }: IterationReport['cost']): string {
  const each = usdPerAdmitted === null ? '' : `, ${usdPerAdmitted.toFixed(4)} an admitted task`;
  const price = usd === null ? 'nothing says a price' : `${usd.toFixed(2)} USD${each}`;
  const unpriced = usd !== null && unpricedRollouts > 0 ? `; ${countText(unpricedRollouts, 'rollout')} without a price` : '';
  if (tokens === null) return `${price}${unpriced}`;
  const { prompt, completion, areEstimated } = tokens;
  return `${price}${unpriced}; ${completion.toLocaleString('en')} tokens generated, ${prompt.toLocaleString('en')} read${areEstimated ? ', in part estimated' : ''}`;
}
