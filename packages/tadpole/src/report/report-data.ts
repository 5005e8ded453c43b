import type { Configuration } from '../run/configuration.js';
import { readJournal } from '../run/journal.js';
import { readRunFile } from '../run/run-store.js';
import { type HeldOutComparison, heldOutComparison } from './held-out-comparison.js';
import { iterationReports, type NumberedReport } from './iteration-reports.js';
import { type RunRecords, runRecords } from './run-records.js';
import { type RunResult, runResult } from './run-result.js';
import { proposedReviews } from './sections/audit-review.js';
import { type ReportTrajectory, reportTrajectory } from './viewer/report-trajectory.js';
import { selectRollouts } from './viewer/select-rollouts.js';

/** Everything that the report's sections are made from. */
export interface ReportData {
  readonly run: {
    readonly runId: string;
    readonly createdAt: string;
    readonly configuration: Configuration;
    readonly versions: Readonly<Record<string, string>>;
  };
  readonly records: RunRecords;
  /** Of every iteration that synthesised anything, in order. */
  readonly iterations: readonly NumberedReport[];
  readonly comparison: HeldOutComparison;
  readonly result: RunResult;
  /** The trajectories that the report carries. */
  readonly trajectories: readonly ReportTrajectory[];
}

const maxEmbeddedCharacters = 12_000_000;

/** Reads a run's folder for its report. @throws TadpoleError `invalid-input`. */
export function readReportData(directory: string): ReportData {
  const records = runRecords(readJournal(directory));
  const comparison = heldOutComparison(records);
  const run = readRunFile(directory);
  const reviewed = proposedReviews({ records, seed: run.configuration.seed }).map(({ id }) => id);
  const trajectories = readTrajectories({ directory, records, comparison, reviewed });
  const iterations = iterationReports({ records, configuration: run.configuration });
  return { run, records, iterations, comparison, result: runResult({ directory }), trajectories };
}

function readTrajectories(options: {
  directory: string;
  records: RunRecords;
  comparison: HeldOutComparison;
  reviewed: readonly string[];
}): readonly ReportTrajectory[] {
  const { directory, records } = options;
  const labels = new Map(records.evaluations.map(({ weightsVersion, label }) => [weightsVersion, label]));
  const trajectories: ReportTrajectory[] = [];
  let characters = 0;
  for (const selected of selectRollouts(options)) {
    const { purpose, iteration, weightsVersion } = selected.rollout;
    const moment = purpose === 'evaluation' ? (labels.get(weightsVersion) ?? 'evaluation') : `${purpose}, iteration ${iteration + 1}`;
    const trajectory = reportTrajectory({ directory, selected, moment });
    if (!trajectory) continue;
    characters += JSON.stringify(trajectory).length;
    if (characters > maxEmbeddedCharacters) break;
    trajectories.push(trajectory);
  }
  return trajectories;
}
