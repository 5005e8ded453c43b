import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeReportFile } from '../report/write-report-file.js';
import { writeSynthesisReport } from '../report/write-synthesis-report.js';
import { findNewestRun } from '../run/find-run.js';

/** Writes the report of a run, or of a folder of `tadpole synth`, again from its journal and prints its path. @throws TadpoleError `invalid-input`, `storage`. */
export async function writeReport(folder: string | undefined, flags: { json?: boolean }): Promise<void> {
  const directory = resolve(folder ?? findNewestRun(resolve('runs')));
  const isSynthesis = existsSync(join(directory, 'synthesis.json'));
  const report = isSynthesis ? writeSynthesisReport({ directory }) : await writeReportFile({ directory });
  process.stdout.write(flags.json ? `${JSON.stringify({ report })}\n` : `report: ${report}\n`);
}
