import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { readReportData } from './report-data.js';
import { reportPage } from './report-page.js';

/**
 * Writes `report.html` into a run's folder, whole or not at all, and returns its path. The page stands alone: it
 * asks for nothing else, from the disk or the network. Works while the run goes on.
 *
 * @throws TadpoleError `invalid-input` when the folder holds no run or a damaged journal, `storage` when it cannot be written.
 */
export async function writeReportFile(options: { directory: string }): Promise<string> {
  const path = join(options.directory, 'report.html');
  const page = reportPage(readReportData(options.directory));
  try {
    writeFileSync(`${path}.partial`, page);
    renameSync(`${path}.partial`, path);
  } catch (cause) {
    throw new TadpoleError({
      code: 'storage',
      message: `Expected to write ${path}, got: ${(cause as Error).message}. The run itself is intact; free space or fix the permissions, then run \`tadpole report\`.`,
      cause,
    });
  }
  return path;
}
