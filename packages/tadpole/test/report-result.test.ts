import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventSchema, type Outcome, type RolloutPurpose, type TadpoleEvent } from '@tadpole/contracts';
import { rate } from '@tadpole/evaluation';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resultText, runResult } from '../src/report/run-result.js';
import { createRun } from '../src/run/run-store.js';
import { fixtureConfiguration } from './write-fixture-run.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tadpole-result-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const solved: Outcome = { status: 'scored', reward: 1, components: {}, tests: [] };
const failed: Outcome = { status: 'scored', reward: 0, components: {}, tests: [] };
const unscored: Outcome = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'gone' };

function at(minute: number): string {
  return new Date(Date.parse('2026-03-01T09:00:00.000Z') + minute * 60_000).toISOString();
}

function rollout(options: { minute: number; purpose: RolloutPurpose; task: number; version: string; outcome: Outcome }): TadpoleEvent {
  const { minute, purpose, task, version, outcome } = options;
  return {
    type: 'rollout-end',
    at: at(minute),
    key: `${purpose} ${task} ${version}`,
    iteration: 0,
    purpose,
    taskId: `task-${task}`,
    sample: 0,
    weightsVersion: version,
    stopReason: 'agent',
    outcome,
    usage: { promptTokens: 100, completionTokens: 10 },
    durationMs: 5,
    trajectory: 'trajectories/x.json',
  };
}

function evaluation(options: {
  minute: number;
  update: number;
  label: string;
  version: string;
  outcomes: readonly Outcome[];
}): readonly TadpoleEvent[] {
  const { minute, update, label, version, outcomes } = options;
  const scored = outcomes.filter(({ status }) => status === 'scored');
  return [
    ...outcomes.map((outcome, task) => rollout({ minute, purpose: 'evaluation', task, version, outcome })),
    {
      type: 'evaluation-end',
      at: at(minute),
      iteration: 0,
      update,
      label,
      weightsVersion: version,
      passAt1: rate({ successes: outcomes.filter((outcome) => outcome === solved).length, trials: scored.length }),
      unscored: outcomes.length - scored.length,
    },
  ];
}

function writeRun(events: readonly TadpoleEvent[]): void {
  const store = createRun({ directory, runId: 'run', configuration: fixtureConfiguration, versions: {}, now: () => new Date(0) });
  for (const event of events) store.journal.append(eventSchema.parse(event));
  store.close();
}

const start = (minute: number, resumed: boolean): TadpoleEvent => ({
  type: 'run-start',
  at: at(minute),
  runId: 'run',
  configurationHash: 'x',
  resumed,
});

// Tasks 0 and 1 solved both times, 2 to 7 only after, 8 only before, 9 never, 10 unscored after.
const before = [solved, solved, ...Array(6).fill(failed), solved, failed, failed];
const after = [solved, solved, ...Array(6).fill(solved), failed, failed, unscored];

const wholeRun: readonly TadpoleEvent[] = [
  start(0, false),
  {
    type: 'candidate-validate',
    at: at(0),
    iteration: 0,
    taskId: 'task-0',
    strategy: 'mutation',
    operator: 'flip',
    operatorFamily: 'conditions',
    patchSize: 'tiny',
    statementRung: 'region',
    source: 'a@1',
    failToPass: 1,
    split: 'held-out',
    parents: [],
  },
  {
    type: 'candidate-refuse',
    at: at(0),
    iteration: 0,
    candidateId: 'a',
    strategy: 'mutation',
    operator: 'flip',
    source: 'a@1',
    reason: 'not-killed',
    detail: '',
  },
  {
    type: 'candidate-refuse',
    at: at(0),
    iteration: 0,
    candidateId: 'b',
    strategy: 'mutation',
    operator: 'flip',
    source: 'a@1',
    reason: 'not-killed',
    detail: '',
  },
  {
    type: 'candidate-refuse',
    at: at(0),
    iteration: 0,
    candidateId: 'c',
    strategy: 'mutation',
    operator: 'flip',
    source: 'a@1',
    reason: 'timed-out',
    detail: '',
  },
  // An evaluation that a kill cut off: its weights are of no evaluation that ended.
  rollout({ minute: 1, purpose: 'evaluation', task: 0, version: 'lost', outcome: solved }),
  start(61, true),
  ...evaluation({ minute: 62, update: 0, label: 'before training', version: 'w0', outcomes: before }),
  rollout({ minute: 63, purpose: 'train', task: 50, version: 'w0', outcome: solved }),
  // The same rollout journaled again counts once.
  rollout({ minute: 63, purpose: 'train', task: 50, version: 'w0', outcome: solved }),
  { type: 'audit-end', at: at(63), iteration: 0, trajectoryId: 'task-50.0.x', taskId: 'task-50', findings: [], action: 'keep' },
  { type: 'update-end', at: at(64), iteration: 0, update: 0, weightsVersion: 'w1', metrics: {} },
  ...evaluation({ minute: 65, update: 1, label: 'after iteration 1', version: 'w1', outcomes: after }),
  { type: 'iteration-end', at: at(65), iteration: 0, weightsVersion: 'w1', checkpoint: 'iteration-0-update-0' },
];

test('compares the first and the last evaluation pair by pair, with the numbers of a hand calculation', () => {
  writeRun(wholeRun);
  const result = runResult({ directory });
  expect(result.before).toMatchObject({ successes: 3, trials: 11 });
  expect(result.after).toMatchObject({ successes: 8, trials: 10 });
  expect(result.afterLabel).toBe('after iteration 1');
  expect(result.paired).toMatchObject({
    pairs: 10,
    bothPassed: 2,
    onlyAfter: 6,
    onlyBefore: 1,
    neither: 1,
    unpaired: { before: 0, after: 0, unscored: 1 },
  });
  expect(result.difference).toBeCloseTo(0.5, 12);
  // 2 (C(7,0) + C(7,1)) / 2^7
  expect(result.pValue).toBeCloseTo(0.125, 12);
  // Bonett-Price: 7/12 - 2/12 -+ 1.959964 sqrt((9/12 - (5/12)^2) / 12)
  expect(result.differenceInterval?.[0]).toBeCloseTo(-0.012885, 5);
  expect(result.differenceInterval?.[1]).toBeCloseTo(0.846218, 5);
});

test('counts what was done, each thing once, and leaves out the time between a kill and its resume', () => {
  writeRun(wholeRun);
  const result = runResult({ directory });
  expect(result.rollouts).toEqual({ calibration: 0, train: 1, evaluation: 23 });
  expect(result.tokens).toEqual({ prompt: 2400, completion: 240 });
  expect(result).toMatchObject({
    unscored: 1,
    audited: 1,
    flagged: 0,
    updates: 1,
    tasksProposed: 4,
    heldOutTasks: 1,
    apiCostUsd: 0,
    finished: null,
  });
  expect(result.refused).toEqual({ 'not-killed': 2, 'timed-out': 1 });
  expect(result.iterations).toEqual({ ended: 1, planned: 2 });
  expect(result.workedMs).toBe(5 * 60_000);
});

test('says in words that a p-value of 0.125 shows no difference', () => {
  writeRun(wholeRun);
  const lines = resultText(runResult({ directory })).split('\n');
  expect(lines.find((line) => line.startsWith('after iteration 1'))).toMatch(/ 8\/10 = 80\.0 % \[49\.0, 94\.3\] solved$/);
  expect(lines.find((line) => line.startsWith('paired test'))).toMatch(
    /10 pairs: 6 only after, 1 only before, 2 both, 1 neither; McNemar exact p = 0\.13$/,
  );
  expect(lines.find((line) => line.startsWith('reading'))).toContain('no difference is shown');
  expect(lines.find((line) => line.startsWith('cost'))).toMatch(/no API cost; 5 min 00 s of wall time/);
});

test('says that less is solved when training harmed', () => {
  const evaluations = [
    ...evaluation({ minute: 1, update: 0, label: 'before training', version: 'w0', outcomes: Array(9).fill(solved) }),
    ...evaluation({ minute: 2, update: 1, label: 'after iteration 1', version: 'w1', outcomes: Array(9).fill(failed) }),
  ];
  writeRun([start(0, false), ...evaluations]);
  const result = runResult({ directory });
  expect(result.pValue).toBeCloseTo(2 / 2 ** 9, 12);
  expect(resultText(result)).toMatch(/reading +less is solved after training/);
});

test('gives what exists of a run that has only just begun, and null for the rest', () => {
  writeRun([start(0, false)]);
  const result = runResult({ directory });
  expect(result).toMatchObject({
    before: null,
    after: null,
    difference: null,
    pValue: null,
    paired: null,
    workedMs: 0,
    tasksAdmitted: 0,
    finished: null,
  });
  expect(resultText(result)).not.toMatch(/NaN|undefined|null/);
});

test('has no p-value when no task was scored in both evaluations', () => {
  const evaluations = [
    ...evaluation({ minute: 1, update: 0, label: 'before training', version: 'w0', outcomes: [solved, unscored] }),
    ...evaluation({ minute: 2, update: 1, label: 'after iteration 1', version: 'w1', outcomes: [unscored, solved] }),
  ];
  writeRun([start(0, false), ...evaluations]);
  const result = runResult({ directory });
  expect(result.pValue).toBeNull();
  expect(resultText(result)).toContain('no task was scored in both evaluations');
});

test('refuses a folder without a run', () => {
  expect(() => runResult({ directory })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
});
