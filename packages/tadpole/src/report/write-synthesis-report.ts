import { join } from 'node:path';
import { defaultBand } from '@tadpole/taskpilot';
import { z } from 'zod';
import { readJournal } from '../run/journal.js';
import { writeWhole } from '../run/write-whole.js';
import { readSynthesisSettings } from '../synth/synthesis-store.js';
import { html } from './html.js';
import { iterationReports } from './iteration-reports.js';
import { reportDocument } from './report-document.js';
import { runRecords } from './run-records.js';
import { synthesisSection } from './sections/synthesis-section.js';

const settingsSchema = z.looseObject({ seed: z.int().default(0), band: z.tuple([z.number(), z.number()]).default([...defaultBand]) });

/**
 * Writes the iteration report of a folder of `tadpole synth`: its data as `report.json` (`iterationReportSchema`) and `report.html`,
 * a page that asks for nothing else. Works while the synthesis goes on.
 *
 * @returns the path of the page.
 * @throws TadpoleError `invalid-input` when the folder holds no synthesis or a damaged journal, `storage` when it cannot be written.
 */
export function writeSynthesisReport({ directory }: { directory: string }): string {
  const { seed, band } = settingsSchema.parse(readSynthesisSettings({ directory }));
  const records = runRecords(readJournal(directory));
  const configuration = { seed, calibration: { band } };
  const iterations = iterationReports({ records, configuration });
  const sources = records.snapshots.map(({ source, tests, flaky }) => html`<p>${source}: ${tests} tests, ${flaky} set aside</p>`);
  const headline = html`<section><h1>Synthesis</h1>${sources}</section>`;
  const page = reportDocument({
    title: records.snapshots.map(({ source }) => source).join(', ') || 'Synthesis',
    links: ['synthesis'],
    sections: [headline, synthesisSection({ records, iterations })],
    script: '',
  });
  writeWhole({ path: join(directory, 'report.json'), content: `${JSON.stringify(iterations[0]?.report ?? null, null, 2)}\n` });
  const path = join(directory, 'report.html');
  writeWhole({ path, content: page });
  return path;
}
