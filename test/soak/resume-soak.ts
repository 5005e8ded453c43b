// `npm run soak:resume -- [every]`: a small recipe with lagging rollouts, killed by SIGKILL after every event (or every n-th) and resumed,
// until it is done. Checks that weights, tasks and rollouts are those of a run that nobody killed.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TadpoleEvent } from '@tadpole/contracts';
import { readJournal } from 'tadpole';
import { configurationFile, journalLines, tadpole, temporaryFolder, tinyOverrides } from '../tiny-recipe.js';

const every = Number(process.argv[2] ?? 1);
if (!Number.isInteger(every) || every < 1) throw new TypeError(`expected to kill after every n-th event, n from 1, got ${process.argv[2]}`);
const folder = temporaryFolder();
const config = configurationFile({
  ...tinyOverrides,
  heldOut: { tasks: 1 },
  synthesis: { candidates: 3, tasks: 3, rollouts: 6 },
  training: { updatesPerIteration: 3, groupsPerUpdate: 2, groupSize: 4, maxLag: 1 },
});
const run = (directory: string) => ['run', '--budget', 'small', '--seed', '1', '--config', config, '--out', directory];
const whole = join(folder, 'whole');
const killed = join(folder, 'killed');

/** What a process of a run may not change: tasks, fates, verdicts, rollouts and weights, in the order of their names. */
function substance(directory: string): readonly string[] {
  return readJournal(directory)
    .flatMap((event) => describe(event) ?? [])
    .sort();
}

function describe(event: TadpoleEvent): string | undefined {
  if (event.type === 'rollout-end') return `${event.type} ${event.key} ${event.outcome.status} ${JSON.stringify(event.usage)}`;
  if (event.type === 'update-end') return `${event.type} ${event.update} ${event.weightsVersion} ${event.metrics.trainedTokens}`;
  if (event.type === 'evaluation-end') return `${event.type} ${event.label} ${event.weightsVersion} ${JSON.stringify(event.passAt1)}`;
  if (event.type === 'iteration-end') return `${event.type} ${event.weightsVersion}`;
  if (event.type === 'audit-end' || event.type === 'task-admit') return `${event.type} ${event.taskId}`;
  if (event.type === 'candidate-discard') return `${event.type} ${event.taskId} ${event.reason}`;
  if (event.type === 'candidate-calibrate') return `${event.type} ${event.taskId} ${event.verdict} ${event.posteriorMean}`;
  return undefined;
}

/** Cuts a journal to its first lines: what the disk held when that event was the last. */
function keepLines(directory: string, count: number): void {
  const file = join(directory, 'journal.jsonl');
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, count);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}

try {
  const first = await tadpole(run(whole));
  assert.equal(first.code, 0, first.stderr);
  let kills = 0;
  let args = run(killed);
  for (;;) {
    const before = journalLines(killed);
    // The first event of every process is its own start.
    const wanted = before + (before === 0 ? 0 : 1) + every;
    const isDone = before > 0 && readJournal(killed).some((event) => event.type === 'run-end' && event.reason === 'done');
    const { code, signal, stderr } = await tadpole(args, { killWhen: () => !isDone && journalLines(killed) >= wanted });
    if (signal !== 'SIGKILL') {
      assert.equal(code, 0, stderr);
      break;
    }
    kills += 1;
    keepLines(killed, wanted);
    args = ['run', '--resume', killed];
  }
  const events = readJournal(killed).length;
  const lags = readJournal(whole).flatMap((event) => (event.type === 'update-end' ? [event.metrics.rolloutLagMax ?? 0] : []));
  assert.ok(Math.max(...lags) === 1, 'expected an update that learned from rollouts of older weights');
  assert.deepEqual(substance(killed), substance(whole));
  console.log(`${events} events, killed ${kills} times; weights, tasks and rollouts as in one process; largest lag ${Math.max(...lags)}`);
  console.log(JSON.stringify({ events, kills, largestLag: Math.max(...lags) }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
