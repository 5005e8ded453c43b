import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rate } from '@tadpole/evaluation';
import { iterationReportSchema } from '@tadpole/taskpilot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NumberedReport, readIterationReports } from '../src/report/iteration-reports.js';
import { runRecords } from '../src/report/run-records.js';
import { readJournal } from '../src/run/journal.js';
import { writeFixtureRun } from './write-fixture-run.js';

let directory: string;
let reports: readonly NumberedReport[];
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tadpole-iterations-'));
  writeFixtureRun({ directory });
  reports = readIterationReports({ directory });
}, 180_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('reports every iteration of a journal as data of the schema, with the counts of its events', () => {
  const records = runRecords(readJournal(directory));
  expect(reports.map(({ iteration }) => iteration)).toEqual([0, 1]);
  for (const { iteration, report } of reports) {
    expect(iterationReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    const count = (events: readonly { iteration: number }[]) => events.filter((event) => event.iteration === iteration).length;
    expect(report.funnel.total).toMatchObject({ refused: count(records.refused), valid: count(records.validated) });
    expect(report.rates).toHaveLength(count(records.calibrated));
    expect(report.admitted).toBe(count(records.admitted));
    expect(report.rollouts.asked).toBe(count(records.rollouts.filter(({ purpose }) => purpose === 'calibration')));
  }
  expect(reports.map(({ report }) => report.cost.usd)).toEqual([null, 1.25]);
});

test('measures drift of later iterations from the first', () => {
  const [first, second] = reports.map(({ report }) => report.kinds);
  expect(first?.drift).toBeNull();
  const targets = second?.drift?.dimensions.operatorFamily.shares.map(({ kind, target }) => [kind, target]);
  expect(targets).toEqual(Object.entries(first?.mix?.operatorFamily ?? {}));
});

test('gives shares the same intervals as the evaluation package', () => {
  const { valid } = reports[0]?.report.funnel.total.shares ?? {};
  const expected = rate({ successes: valid?.successes ?? 0, trials: valid?.trials ?? 0 });
  expect(valid?.interval[0]).toBeCloseTo(expected.interval[0], 8);
  expect(valid?.interval[1]).toBeCloseTo(expected.interval[1], 8);
});

test('is the same for a journal that a resumed run wrote again in part', () => {
  const journal = join(directory, 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  appendFileSync(journal, `${lines.slice(100, 400).join('\n')}\n`);
  expect(readIterationReports({ directory })).toEqual(reports);
});
