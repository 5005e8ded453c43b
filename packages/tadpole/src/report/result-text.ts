import { formatRate } from '@tadpole/evaluation';
import { durationText } from '../progress/progress-lines.js';
import { countText, pointsText, pValueText } from './number-text.js';
import type { RunResult } from './run-result.js';

/** A result for the terminal: about a dozen aligned lines without a trailing newline. Pure. */
export function resultText(result: RunResult): string {
  const { heldOutTasks, samplesPerTask, before, after, rollouts, tokens } = result;
  const rows: readonly (readonly [string, string])[] = [
    ['run', `${result.runId}, ${stateText(result)}`],
    ['held out', heldOutTasks === 0 ? 'no task yet' : `${countText(heldOutTasks, 'task')}, ${countText(samplesPerTask, 'rollout')} each`],
    ['before training', before ? `${formatRate(before)} solved` : 'not evaluated yet'],
    [result.afterLabel ?? 'after training', after ? `${formatRate(after)} solved` : 'not evaluated yet'],
    ['difference', differenceText(result)],
    ['paired test', pairedText(result)],
    ['reading', readingText(result)],
    ['tasks', tasksText(result)],
    [
      'training',
      `${countText(result.tasksAdmitted, 'admitted task')}, ${countText(result.updates, 'update')}, ${countText(rollouts.train, 'rollout')}`,
    ],
    [
      'other rollouts',
      `${rollouts.evaluation.toLocaleString('en')} evaluation, ${rollouts.calibration.toLocaleString('en')} calibration; ${result.unscored.toLocaleString('en')} of all unscored`,
    ],
    ['audit', result.audited === 0 ? 'no rollout audited' : `${result.flagged} of ${countText(result.audited, 'audited rollout')} flagged`],
    ['tokens', `${tokens.completion.toLocaleString('en')} generated, ${tokens.prompt.toLocaleString('en')} read`],
    ['cost', `${moneyText(result)}; ${durationText(result.workedMs)} of wall time on this machine`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

/** Whether the run is over, in words. */
export function stateText(result: RunResult): string {
  const { ended, planned } = result.iterations;
  const iterations = `${ended} of ${countText(planned, 'iteration')}`;
  if (result.finished === 'done') return `done, ${iterations}`;
  return `${result.finished ?? 'not finished'} after ${iterations}`;
}

/** What the paired test allows to be said. */
export function readingText(result: RunResult): string {
  const { difference, pValue } = result;
  if (difference === null || pValue === null) return 'nothing can be said before both evaluations have ended';
  if (pValue >= 0.05) return 'no difference is shown: one as large as this is not rare by chance';
  return difference > 0
    ? 'more is solved after training than chance explains; one run, one seed'
    : 'less is solved after training than chance explains; one run, one seed';
}

/** What the model calls cost in money. */
export function moneyText({ apiCostUsd }: RunResult): string {
  return apiCostUsd > 0 ? `${apiCostUsd.toFixed(2)} USD of model calls` : 'no API cost';
}

function differenceText({ difference, differenceInterval }: RunResult): string {
  return difference === null || differenceInterval === null ? '–' : pointsText({ difference, interval: differenceInterval });
}

function pairedText({ paired, pValue }: RunResult): string {
  if (!paired) return '–';
  if (pValue === null) return 'no task was scored in both evaluations';
  const { pairs, onlyAfter, onlyBefore, bothPassed, neither } = paired;
  return `${pairs} pairs: ${onlyAfter} only after, ${onlyBefore} only before, ${bothPassed} both, ${neither} neither; McNemar exact ${pValueText(pValue)}`;
}

function tasksText(result: RunResult): string {
  const reasons = Object.entries(result.refused).sort(([, a], [, b]) => b - a);
  const refused = reasons.reduce((sum, [, count]) => sum + count, 0);
  const shown = reasons.slice(0, 3).map(([reason, count]) => `${reason} ${count}`);
  const listed = shown.length === 0 ? '' : ` (${shown.join(', ')}${reasons.length > 3 ? ', …' : ''})`;
  return `${result.tasksProposed.toLocaleString('en')} proposed, ${refused.toLocaleString('en')} refused${listed}, ${result.tasksValid.toLocaleString('en')} valid`;
}
