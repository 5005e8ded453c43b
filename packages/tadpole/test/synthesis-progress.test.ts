import type { TadpoleEvent } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import { progressLines } from '../src/progress/progress-lines.js';
import { createProgressSink } from '../src/progress/progress-sink.js';
import { summarizeRun } from '../src/run/run-summary.js';
import { fixtureConfiguration } from './write-fixture-run.js';

const at = '2026-03-01T09:00:00.000Z';
const iteration = 1;

function rollout(key: string, costUsd?: number): TadpoleEvent {
  const usage = { promptTokens: 100, completionTokens: 10, ...(costUsd === undefined ? {} : { costUsd }) };
  const outcome = { status: 'scored' as const, reward: 1, components: {}, tests: [] };
  const about = { purpose: 'calibration' as const, taskId: 't', sample: 0, weightsVersion: 'w', stopReason: 'agent' as const };
  return { type: 'rollout-end', at, key, iteration, ...about, outcome, usage, durationMs: 1, trajectory: 'x' };
}

function calibrated(taskId: string, verdict: 'in-band' | 'too-hard', trials: number): TadpoleEvent {
  const posterior = { posteriorMean: 0.5, posteriorInterval: [0.1, 0.9] as [number, number], probabilityInBand: 0.7 };
  const count = { successes: 0, trials, unscored: 0 };
  const about = { strategy: 'mutation', source: 'a@1', origin: 'fresh' as const, admitted: verdict === 'in-band' };
  return { type: 'candidate-calibrate', at, iteration, taskId, verdict, ...count, ...posterior, ...about };
}

const origin = { strategy: 'mutation', operator: 'flip', source: 'a@1' };
const kinds = {
  operatorFamily: 'conditions',
  patchSize: 'tiny',
  statementRung: 'region',
  failToPass: 1,
  split: 'train' as const,
  parents: [],
};
const events: readonly TadpoleEvent[] = [
  // of the iteration before, which the numbers at hand leave out
  { type: 'candidate-refuse', at, iteration: 0, candidateId: 'z', ...origin, reason: 'not-killed', detail: '' },
  { type: 'iteration-start', at, iteration, weightsVersion: 'w' },
  { type: 'candidate-refuse', at, iteration, candidateId: 'a', ...origin, reason: 'not-killed', detail: '' },
  { type: 'candidate-validate', at, iteration, taskId: 't', ...origin, ...kinds },
  { type: 'candidate-validate', at, iteration, taskId: 'u', ...origin, ...kinds },
  { type: 'candidate-validate', at, iteration, taskId: 'v', ...origin, ...kinds },
  { type: 'calibration-round', at, iteration, round: 0, tasks: 2, rollouts: 4 },
  rollout('1', 0.25),
  rollout('2', 0.25),
  rollout('3'),
  { type: 'calibration-round', at, iteration, round: 1, tasks: 1, rollouts: 2 },
  calibrated('t', 'in-band', 4),
  calibrated('u', 'too-hard', 4),
  calibrated('v', 'too-hard', 0),
  { type: 'candidate-discard', at, iteration, taskId: 'u', strategy: 'mutation', source: 'a@1', reason: 'too-hard', detail: '' },
  { type: 'candidate-discard', at, iteration, taskId: 'v', strategy: 'mutation', source: 'a@1', reason: 'hopeless', detail: '' },
  { type: 'task-admit', at, iteration, taskId: 't', certificate: { taskId: 't', gates: [], hiddenTestsHash: '' } },
];
const end: TadpoleEvent = {
  type: 'synthesis-end',
  at,
  iteration,
  ended: 'budget',
  admitted: 1,
  rollouts: 3,
  unscored: 0,
  costUsd: 0.75,
  executions: 9,
};

function lineOf(summary: ReturnType<typeof summarizeRun>, name: string): string | undefined {
  const lines = progressLines({ summary, configuration: fixtureConfiguration, nowMs: 0, startedMs: 0 });
  return lines.find((line) => line.startsWith(name));
}

test('shows yield, round, band, rollouts and cost of the iteration at hand', () => {
  expect(lineOf(summarizeRun(events), 'synthesis')).toBe(
    'synthesis  3 of 4 valid (75 %) · round 2: 1 tasks, 2 rollouts · 1 of 2 measured in the band · 3.0 rollouts an admitted task · 0.50 USD',
  );
});

test('counts an event of the loop that a resumed run journals again once', () => {
  const once = summarizeRun([...events, end]);
  const { workedMs: _, ...repeated } = summarizeRun([...events, ...events.slice(2), end, end]);
  expect(once).toMatchObject(repeated);
  expect(once.discarded).toEqual({ 'too-hard': 1, hopeless: 1 });
  expect(once.synthesis).toMatchObject({ iteration: 1, rounds: 2, lastRound: { tasks: 1, rollouts: 2 } });
});

test('adds the model calls of the synthesis to the cost of its rollouts once it has ended', () => {
  expect(summarizeRun(events).costUsd).toBe(0.5);
  expect(summarizeRun([...events, end]).costUsd).toBe(0.75);
  expect(summarizeRun([rollout('1')]).costUsd).toBeNull();
  expect(summarizeRun([rollout('1'), end]).costUsd).toBe(0.75);
});

test('says that there is no price, and nothing of synthesis before any', () => {
  expect(lineOf(summarizeRun(events.slice(0, 3)), 'synthesis')).toBe('synthesis  0 of 1 valid (0 %) · no price');
  expect(lineOf(summarizeRun([]), 'synthesis')).toBeUndefined();
});

test('writes a line for the gain in ability and one for the end of an iteration where there is no terminal', async () => {
  const written: string[] = [];
  const stream = { isTTY: false, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const sink = createProgressSink({ stream, configuration: fixtureConfiguration, now: () => new Date(at) });
  await sink.emit({ type: 'checkpoint-shift', at, iteration, shift: 0.8, standardError: 0.25, anchors: 24 });
  await sink.emit(end);
  sink.close();
  expect(written.map((line) => line.trim())).toEqual([
    "0 s  iteration 2: the policy's ability moved by 0.80 ± 0.25 logits (24 anchors)",
    '0 s  iteration 2: 1 tasks admitted with 3 rollouts (3.0 each), 0 unscored, 0.75 USD, the budget is spent',
  ]);
});
