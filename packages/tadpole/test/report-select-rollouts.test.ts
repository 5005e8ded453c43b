import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { heldOutComparison } from '../src/report/held-out-comparison.js';
import { type RunRecords, runRecords } from '../src/report/run-records.js';
import { selectRollouts } from '../src/report/viewer/select-rollouts.js';
import { readJournal } from '../src/run/journal.js';
import { writeFixtureRun } from './write-fixture-run.js';

let records: RunRecords;
beforeAll(() => {
  const directory = mkdtempSync(join(tmpdir(), 'tadpole-select-'));
  writeFixtureRun({ directory });
  records = runRecords(readJournal(directory));
  rmSync(directory, { recursive: true });
}, 180_000);

const select = (limits: { maxFlagged?: number; maxPairs?: number; maxTraining?: number }) =>
  selectRollouts({ records, comparison: heldOutComparison(records), ...limits });

test('takes every flagged rollout with its own audit', () => {
  const flagged = select({}).filter(({ audit }) => audit !== undefined);
  expect(flagged).toHaveLength(records.audits.filter(({ findings }) => findings.length > 0).length);
  for (const { rollout, audit } of flagged)
    expect(audit?.trajectoryId).toBe(`${rollout.taskId}.${rollout.sample}.${rollout.key.slice(0, 12)}`);
});

test('takes held-out tasks in pairs, before and after, of every kind of outcome', () => {
  const chosen = select({ maxPairs: 8, maxFlagged: 0, maxTraining: 0 }).map(({ rollout }) => rollout);
  expect(chosen).toHaveLength(16);
  const kinds = new Set<string>();
  for (let first = 0; first < chosen.length; first += 2) {
    const [before, after] = [chosen[first], chosen[first + 1]];
    expect(after?.taskId).toBe(before?.taskId);
    expect([before?.weightsVersion, after?.weightsVersion]).toEqual(['w0', 'w12']);
    kinds.add([before, after].map((rollout) => (rollout?.outcome.status === 'scored' ? rollout.outcome.reward : 'unscored')).join(' '));
  }
  expect([...kinds].sort()).toEqual(['0 0', '0 1', '0 unscored', '1 1']);
});

test('spreads training rollouts over the whole run', () => {
  const versions = select({ maxPairs: 0, maxFlagged: 0, maxTraining: 12 }).map(({ rollout }) => rollout.weightsVersion);
  expect(versions).toEqual(Array.from({ length: 12 }, (_, update) => `w${update}`));
});
