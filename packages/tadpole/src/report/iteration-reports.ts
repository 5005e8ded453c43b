import { type Band, type IterationReport, iterationReport, type ReportedEvent } from '@tadpole/taskpilot';
import { readJournal } from '../run/journal.js';
import { readRunFile } from '../run/run-store.js';
import { type RunRecords, runRecords } from './run-records.js';

/** The report of one iteration of a run. */
export interface NumberedReport {
  /** From 0. */
  readonly iteration: number;
  readonly report: IterationReport;
}

/**
 * Reports on each iteration of a run from its folder, also while it goes on. Drift is measured from the first iteration
 * that admitted tasks of known kinds. The first iteration holds the candidates of the held-out tasks too.
 *
 * @throws TadpoleError `invalid-input` when the folder holds no run or its journal is damaged.
 */
export function readIterationReports(options: { directory: string }): readonly NumberedReport[] {
  const { configuration } = readRunFile(options.directory);
  return iterationReports({ records: runRecords(readJournal(options.directory)), configuration });
}

/** The report of every iteration that synthesised anything. Pure. */
export function iterationReports(options: {
  records: RunRecords;
  configuration: { readonly seed: number; readonly calibration: { readonly band: Band } };
}): readonly NumberedReport[] {
  const { records, configuration } = options;
  const { refused, validated, rounds, shifts, calibrated, discarded, admitted, synthesised, rollouts } = records;
  const synthesis = [refused, validated, rounds, shifts, calibrated, discarded, admitted, synthesised].flat();
  const calibration = rollouts.filter(({ purpose }) => purpose === 'calibration');
  const iterations = [...new Set(synthesis.map(({ iteration }) => iteration))].sort((left, right) => left - right);
  const reports: NumberedReport[] = [];
  for (const iteration of iterations) {
    const events: readonly ReportedEvent[] = [...synthesis, ...calibration].filter((event) => event.iteration === iteration);
    const earlier = validated.filter((event) => event.iteration < iteration);
    const target = reports.find(({ report }) => report.kinds.mix !== null)?.report.kinds.mix;
    const { seed, calibration: measured } = configuration;
    const report = iterationReport({ events, band: measured.band, earlier, seed, ...(target ? { targetMix: target } : {}) });
    reports.push({ iteration, report });
  }
  return reports;
}
