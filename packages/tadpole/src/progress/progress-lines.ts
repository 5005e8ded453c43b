import type { Configuration } from '../run/configuration.js';
import type { RunSummary } from '../run/run-summary.js';
import type { SynthesisProgress } from '../run/synthesis-progress.js';

/**
 * The lines that the live display shows: tasks proposed, valid and admitted, the synthesis at hand, solve rates, the last update's
 * numbers, tokens a second and the time left. Pure.
 */
export function progressLines(options: {
  summary: RunSummary;
  configuration: Configuration;
  nowMs: number;
  startedMs: number;
}): readonly string[] {
  const { summary, configuration } = options;
  const refused = Object.values(summary.refused).reduce((sum, count) => sum + count, 0);
  const lines = [
    `iteration ${Math.min(summary.iteration + 1, configuration.iterations)}/${configuration.iterations} · update ${summary.updates.length}/${plannedUpdates(configuration)}`,
    `tasks      ${summary.proposed} proposed · ${refused} refused · ${summary.valid.heldOut} held out · ${summary.valid.train} valid for training · ${summary.admitted} admitted`,
    `rollouts   ${summary.rollouts.evaluation} evaluation · ${summary.rollouts.calibration} calibration · ${summary.rollouts.train} training · ${summary.unscored} unscored · ${summary.flagged} flagged`,
  ];
  if (summary.synthesis.proposed + summary.synthesis.rounds > 0) lines.push(`synthesis  ${synthesisText(summary.synthesis)}`);
  const last = summary.updates.at(-1);
  if (last) lines.push(`learning   ${updateText(last.metrics)}`);
  const evaluation = summary.evaluations.at(-1);
  if (evaluation) lines.push(`held out   ${evaluation.label}: ${rateText(evaluation.passAt1)}`);
  lines.push(`time       ${timeText(options)}`);
  return lines;
}

/** Yield, round, band, price in rollouts and in money of the synthesis at hand, in one line. */
function synthesisText(progress: SynthesisProgress): string {
  const { proposed, valid, measured, inBand, admitted, rounds, lastRound, rollouts, costUsd } = progress;
  const parts = [`${valid} of ${proposed} valid${proposed === 0 ? '' : ` (${Math.round((100 * valid) / proposed)} %)`}`];
  if (rounds > 0) parts.push(`round ${rounds}: ${lastRound.tasks} tasks, ${lastRound.rollouts} rollouts`);
  if (measured > 0) parts.push(`${inBand} of ${measured} measured in the band`);
  if (admitted > 0 && rollouts > 0) parts.push(`${(rollouts / admitted).toFixed(1)} rollouts an admitted task`);
  parts.push(costUsd === null ? 'no price' : `${costUsd.toFixed(2)} USD`);
  return parts.join(' · ');
}

/** Rollouts that a run will make, calibration estimated; for the time left. */
function plannedRollouts(configuration: Configuration): number {
  const { training, heldOut, iterations, synthesis, calibration } = configuration;
  const evaluations = (iterations + 1) * heldOut.tasks * heldOut.samplesPerTask;
  const perIteration = training.updatesPerIteration * training.groupsPerUpdate * training.groupSize;
  return evaluations + iterations * (perIteration + synthesis.candidates * Math.ceil(calibration.maxTrials / 2));
}

function plannedUpdates(configuration: Configuration): number {
  return configuration.iterations * configuration.training.updatesPerIteration;
}

/** The numbers of one update in one line. */
export function updateText(metrics: Readonly<Record<string, number>>): string {
  const number = (name: string, digits: number) => (metrics[name] === undefined ? '–' : metrics[name].toFixed(digits));
  const clips = metrics.maskFraction === undefined && metrics.clipFraction !== undefined;
  const learned =
    metrics.optimizerSteps === undefined
      ? ['no step: no group taught anything']
      : [clips ? `clipped ${number('clipFraction', 4)}` : `masked ${number('maskFraction', 4)}`, `entropy ${number('entropy', 3)}`];
  return [
    `solve rate ${number('solveRate', 3)}`,
    `reward ${number('rewardMean', 3)}`,
    ...learned,
    `${number('tokensPerSecond', 0)} tokens/s`,
  ].join(' · ');
}

/** `0.412 [0.346, 0.481] (82/199)` */
export function rateText(rate: { rate: number; interval: readonly [number, number]; successes: number; trials: number }): string {
  return `${rate.rate.toFixed(3)} [${rate.interval[0].toFixed(3)}, ${rate.interval[1].toFixed(3)}] (${rate.successes}/${rate.trials})`;
}

/** `4 min 05 s` */
export function durationText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

function timeText(options: { summary: RunSummary; configuration: Configuration; nowMs: number; startedMs: number }): string {
  const elapsedMs = options.nowMs - options.startedMs;
  const { calibration, train, evaluation } = options.summary.rollouts;
  const share = (calibration + train + evaluation) / plannedRollouts(options.configuration);
  const left = share > 0.05 ? ` · about ${durationText((elapsedMs * (1 - Math.min(1, share))) / share)} left` : '';
  return `${durationText(elapsedMs)}${left} · ${options.summary.tokens.completion.toLocaleString('en')} tokens generated`;
}
