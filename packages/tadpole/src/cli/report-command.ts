import { resolve } from 'node:path';
import { writeReportFile } from '../report/write-report-file.js';
import { findNewestRun } from '../run/find-run.js';

/** Writes a run's report again from its journal and prints its path. @throws TadpoleError `invalid-input`, `storage`. */
export async function writeReport(folder: string | undefined, flags: { json?: boolean }): Promise<void> {
  const report = await writeReportFile({ directory: resolve(folder ?? findNewestRun(resolve('runs'))) });
  process.stdout.write(flags.json ? `${JSON.stringify({ report })}\n` : `report: ${report}\n`);
}
