// `npm run soak -- [rollouts]`: short rollouts with faults injected into everything they stand on. Checks at the end that
// each is accounted for exactly once, that no failure of the infrastructure became a score, and that nothing is left.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRolloutJournal } from '@tadpole/leaf-harness';
import { readTask, reapStaleSandboxes } from '@tadpole/task-runtime';
import { seededRandom } from '@tadpole/taskpilot';
import { completion, startFaultyEndpoint } from './faulty-endpoint.js';
import { killOne, processesWith } from './inject-faults.js';
import { conductBySeed, type PlannedConduct, solves } from './soak-plan.js';

const samples = Number(process.argv[2] ?? 2000);
/** How often the harness itself is killed. */
const harnessKills = 6;
if (!Number.isInteger(samples) || samples < 20) throw new TypeError(`expected a number of rollouts from 20, got ${process.argv[2]}`);
const random = seededRandom(5);
const folder = mkdtempSync(join(tmpdir(), 'tadpole-soak-'));
const task = await readTask(fileURLToPath(new URL('../../examples/tasks/clamp', import.meta.url)));
const goldPatch = readFileSync(join(task.directory, 'solution/gold.patch'), 'utf8');
const endpoint = await startFaultyEndpoint({ conducts: conductBySeed({ taskId: task.data.id, samples }), answer, random });
const journalFile = join(folder, 'journal.jsonl');
const counts = { 'runner killed': 0, 'holder killed': 0, 'harness killed': 0 };

/** The gold patch by `git apply`, or a change that repairs nothing; then a look at it; then the answer. */
function answer({ sample, turn, solves: isSolved }: PlannedConduct): unknown {
  if (turn === 0) {
    const [name, input] = isSolved
      ? ['Bash', { command: `git apply - <<'PATCH'\n${goldPatch}PATCH` }]
      : ['Write', { file_path: 'notes.txt', content: `note of ${sample % 7}\n` }];
    return completion({ calls: [{ name, input }] });
  }
  if (turn === 1)
    return completion({
      calls: [
        { name: 'Glob', input: { pattern: '**/*' } },
        { name: 'Read', input: { file_path: 'src/clamp.js' } },
      ],
    });
  return completion({ content: 'Done.' });
}

function finishedLines(): number {
  try {
    return readFileSync(journalFile, 'latin1').split('\n').length - 1;
  } catch {
    return 0;
  }
}

/** Runs the harness until it ends or, when the journal has grown to `killAt` lines, is killed. */
async function runHarness(killAt: number | undefined): Promise<string | undefined> {
  const script = fileURLToPath(new URL('./soak-harness.ts', import.meta.url));
  const words = ['--import', 'tsx', '--conditions=@tadpole/source', script, folder, endpoint.baseUrl, String(samples)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const injector = setInterval(() => {
    if (killAt !== undefined && finishedLines() >= killAt) {
      counts['harness killed'] += 1;
      child.kill('SIGKILL');
      return clearInterval(injector);
    }
    const killed = killOne({ harness: child.pid as number, random });
    if (killed !== undefined) counts[`${killed} killed`] += 1;
  }, 400);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('close', (exit, end) => resolve([exit, end])),
  );
  clearInterval(injector);
  if (signal === 'SIGKILL') return undefined;
  assert.equal(code, 0, `the harness ended with ${code ?? signal}`);
  return said;
}

const started = performance.now();
let said: string | undefined;
try {
  for (let kill = 1; kill <= harnessKills; kill += 1) {
    // Each part of the work is cut off at a point of its own.
    const killAt = Math.floor(((kill - random()) * samples) / (harnessKills + 1)) + 1;
    said = await runHarness(killAt);
  }
  // What the infrastructure failed for good is rolled out again by the next resume.
  for (let resume = 0; resume < 3; resume += 1) said = await runHarness(undefined);

  const journal = createRolloutJournal({ file: journalFile });
  const records = new Map([...journal.records()].map((record) => [record.key, record]));
  const recorded = [...journal.records()].length;
  journal.close();
  const outcomes = [...records.values()];
  assert.equal(records.size, samples, 'not every rollout is on record, or one is there under two keys');
  assert.deepEqual(
    outcomes.map(({ sample }) => sample).sort((a, b) => a - b),
    Array.from({ length: samples }, (_, sample) => sample),
  );
  const unscored = outcomes.filter(({ outcome }) => outcome.status === 'unscored');
  for (const { outcome, sample } of outcomes) {
    if (outcome.status === 'scored') assert.equal(outcome.reward, solves(sample) ? 1 : 0, `sample ${sample} has another's score`);
    else
      assert.ok(
        ['policy-failed', 'sandbox-failed', 'grader-failed', 'grading-timeout', 'timeout'].includes(outcome.reason),
        outcome.reason,
      );
  }
  assert.ok(recorded - samples <= samples / 10, `${recorded - samples} rollouts were run again`);
  for (const fault of ['429', '500', 'hang', 'half response', 'error frame'])
    assert.ok((endpoint.counts[fault] ?? 0) > 0, `${fault} never came`);
  assert.ok(counts['runner killed'] > 0 && counts['holder killed'] > 0);

  const scratchDirectory = join(folder, 'scratch');
  assert.deepEqual(await reapStaleSandboxes({ scratchDirectory }), [], 'the last harness left a sandbox');
  assert.deepEqual(
    readdirSync(scratchDirectory).filter((name) => !['bases', 'mount-point'].includes(name)),
    [],
  );
  assert.deepEqual(
    processesWith(folder).filter((pid) => pid !== process.pid),
    [],
    'a process is left',
  );
  assert.ok(!readFileSync('/proc/self/mountinfo', 'utf8').includes(folder), 'a mount is left');
  const [before, after] = (JSON.parse(said ?? '{}') as { descriptors: [number, number] }).descriptors;
  assert.ok(after <= before + 5, `${before} descriptors were open at the start and ${after} at the end`);

  const scored = samples - unscored.length;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${samples} rollouts in ${seconds} s: ${scored} scored as planned, ${unscored.length} unscored, ${recorded - samples} run again`,
  );
  console.log(
    JSON.stringify({ rollouts: samples, scored, unscored: unscored.length, repeated: recorded - samples, ...counts, ...endpoint.counts }),
  );
} finally {
  await endpoint.close();
  rmSync(folder, { recursive: true, force: true });
}
