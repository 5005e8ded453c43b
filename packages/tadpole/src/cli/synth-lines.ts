import type { RepositoryProgress } from '../synth/synthesis-progress.js';
import type { RepositorySynthesis, RepositorySynthesisEvent } from '../synth/synthesize-repository.js';
import type { ValidationEvent } from '../synth/validate-repository.js';

/** What is shown of a repository that was opened. */
export function openLines(event: Extract<ValidationEvent, { type: 'repository-open' }>): readonly string[] {
  const { source, licence, runner, tests, setAside, notes } = event;
  return [`${source} (${licence}): ${tests} tests of ${runner} pass untouched, ${setAside} set aside`, ...notes.map((note) => `  ${note}`)];
}

/** How far a synthesis is, in one line: counts, the share of proposals that are tasks, that of measured ones in the band, the cost. */
export function progressLine(progress: RepositoryProgress): string {
  const { proposed, valid, measured, inBand, admitted, rollouts, costUsd } = progress;
  return [
    `${proposed} proposed, ${valid} valid, ${measured} measured, ${admitted} admitted`,
    `yield ${shareText(valid, proposed)}, in the band ${shareText(inBand, measured)}`,
    `${rollouts} rollouts${costUsd === undefined ? '' : `, $${costUsd.toFixed(4)}`}`,
  ].join(' · ');
}

/** The line of an admitted task. */
export function admittedLine(options: {
  event: Extract<RepositorySynthesisEvent, { type: 'task-admit' }>;
  number: number;
  directory: string;
}): string {
  const { event, number, directory } = options;
  const { lineage } = event.draft.data;
  const { successes = 0, trials = 0, posteriorInterval = [0, 1] } = event.certificate.calibration ?? {};
  const [low, high] = posteriorInterval;
  const rate = `solved ${successes} of ${trials} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  return `${String(number).padStart(5)}  ${lineage.operator.padEnd(28)} ${rate.padEnd(32)} ${directory}`;
}

/** The last line of a synthesis. */
export function endLine({ tasks, ended, unscored, executions }: RepositorySynthesis): string {
  const why = {
    count: 'as many as asked for',
    budget: 'the budget is spent',
    exhausted: 'no generator or move has more',
  }[ended];
  return `${tasks.length} tasks admitted: ${why}; ${unscored} rollouts without a score, ${executions} executions of tests`;
}

function shareText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}
