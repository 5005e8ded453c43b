import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRolloutRecords, turnSeed } from '@tadpole/leaf-harness';
import { readCertificate } from '@tadpole/task-runtime';
import { iterationReportSchema, parseSynthesisState } from '@tadpole/taskpilot';
import { readJournal } from 'tadpole';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawOf, repairingServer } from './repairing-server.js';
import { tadpole, temporaryFolder } from './tiny-recipe.js';

const nodeModules = fileURLToPath(new URL('../node_modules', import.meta.url));
const key = 'sk-synth-5f1d0c9b7a3e4826';
const repository = join(temporaryFolder(), 'repository');
const [first, second] = [join(temporaryFolder(), 'first'), join(temporaryFolder(), 'second')];
let server: Awaited<ReturnType<typeof repairingServer>>;

/** The command with a policy; its key stands in a variable whose name says nothing. */
const synth = (out: string, more: readonly string[] = [], kill: Parameters<typeof tadpole>[1] = {}) =>
  tadpole(
    [
      ...[
        'synth',
        repository,
        '--out',
        out,
        '--count',
        '1',
        '--seed',
        '9',
        '--rung',
        'file',
        '--node-modules',
        nodeModules,
        '--band',
        '0.2,0.8',
      ],
      ...['--base-url', server.baseUrl, '--model', 'play', '--api-key-env', 'SYNTH_WORD', '--max-retries', '0'],
      ...['--price-prompt', '1', '--price-completion', '10', '--samples-concurrency', '3', ...more],
    ],
    // A secret that stands in every task's name is redacted in the records, which are found again all the same.
    { ...kill, environment: { SYNTH_WORD: key, SYNTH_TOKEN: 'sorted-array-functions' } },
  );
const recordsOf = (out: string) =>
  existsSync(join(out, 'rollouts.jsonl')) ? [...readRolloutRecords({ file: join(out, 'rollouts.jsonl') })] : [];
const scoredOf = (out: string) => recordsOf(out).filter(({ outcome }) => outcome.status === 'scored');
const bodiesOf = (out: string) => readJournal(out).map(({ at: _, ...body }) => body);
const tasksOf = (out: string) => readdirSync(join(out, 'tasks')).sort();
const costOf = (out: string) => recordsOf(out).reduce((sum, { usage }) => sum + (usage.costUsd ?? 0), 0);
const lines = (out: string) =>
  existsSync(join(out, 'rollouts.jsonl')) ? readFileSync(join(out, 'rollouts.jsonl'), 'utf8').split('\n').length - 1 : 0;

beforeAll(async () => {
  cpSync(join(nodeModules, 'sorted-array-functions'), repository, { recursive: true });
  const solution = readFileSync(join(repository, 'index.js'), 'utf8');
  server = await repairingServer({ file: 'index.js', solution, model: 'play', rateOf: (instruction) => drawOf('rate', instruction) });
});

afterAll(() => server.close());

describe('tadpole synth with a policy', () => {
  it('admits tasks in the band of a model that really repairs files, and prints one document', async () => {
    const { code, stdout, stderr } = await synth(first, ['--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const { tasks, rollouts, costUsd, ended } = JSON.parse(stdout) as { tasks: string[]; rollouts: number; costUsd: number; ended: string };
    expect([tasks.length, ended, rollouts]).toEqual([1, 'count', scoredOf(first).length]);
    expect(tasks.map((task) => task.slice(join(first, 'tasks').length + 1)).sort()).toEqual(tasksOf(first));
    expect(costUsd).toBeCloseTo(costOf(first), 9);
    // Three turns a rollout: a read, a repair and an end.
    expect(costUsd).toBeCloseTo(rollouts * 3 * 0.0004, 9);
    for (const task of tasks) {
      const { calibration } = await readCertificate(task);
      const own = scoredOf(first).filter(({ taskId }) => task.endsWith(taskId.slice(-16)));
      expect(calibration).toMatchObject({ weightsVersion: 'play', band: [0.2, 0.8], trials: own.length });
      expect(calibration?.successes).toBe(own.filter(({ outcome }) => outcome.status === 'scored' && outcome.reward === 1).length);
      expect(calibration?.successes).toBeGreaterThan(0);
    }
  }, 900_000);

  it('journals events of the contracts and leaves a state for the next checkpoint', () => {
    const events = bodiesOf(first);
    expect(events[0]).toMatchObject({ type: 'snapshot-ready', source: 'sorted-array-functions@1.3.0' });
    expect(events.at(-1)).toMatchObject({ type: 'synthesis-end', admitted: 1, rollouts: scoredOf(first).length });
    const fates = events.flatMap((event) => (event.type === 'task-admit' || event.type === 'candidate-discard' ? [event.taskId] : []));
    const validated = events.flatMap((event) => (event.type === 'candidate-validate' ? [event.taskId] : []));
    expect([...fates].sort()).toEqual([...validated].sort());
    const state = parseSynthesisState(JSON.parse(readFileSync(join(first, 'state.json'), 'utf8')));
    expect(state.bank.entries.filter(({ admittedAt }) => admittedAt !== null)).toHaveLength(1);
    expect(existsSync(join(first, 'scratch'))).toBe(false);
  });

  it('leaves a report of its yields, rates and costs, as a page and as data', async () => {
    const report = iterationReportSchema.parse(JSON.parse(readFileSync(join(first, 'report.json'), 'utf8')));
    expect(report).toMatchObject({ band: [0.2, 0.8], ended: 'count', admitted: 1, rollouts: { asked: scoredOf(first).length } });
    expect(report.cost.usd).toBeGreaterThan(0);
    const page = readFileSync(join(first, 'report.html'), 'utf8');
    for (const { strategy } of report.rates) expect(page).toContain(strategy);
    const { stdout } = await tadpole(['report', first, '--json']);
    expect(JSON.parse(stdout)).toEqual({ report: join(first, 'report.html') });
    expect(readFileSync(join(first, 'report.html'), 'utf8')).toBe(page);
  });

  it('sends the key to the endpoint and keeps it out of every file', () => {
    expect([...server.keys]).toEqual([`Bearer ${key}`]);
    const files = readdirSync(first, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').includes(key))).toEqual([]);
  });

  it('goes on after a kill, an interrupt and a dead endpoint to the same tasks, and repeats no rollout', async () => {
    const finished: { seeds: Set<number>; begunBefore: number }[] = [];
    const note = () => {
      const seeds = new Set(scoredOf(second).map(({ seed }) => turnSeed({ seed, turn: 0 })));
      finished.push({ seeds, begunBefore: server.begun.length });
    };
    const killed = await synth(second, [], { killWhen: () => lines(second) >= 4 });
    expect(killed.signal).toBe('SIGKILL');
    note();
    expect((await synth(second)).stderr).toMatch(/already holds a synthesis\. Resume it/);
    expect((await synth(second, ['--resume', '--band', '0.1,0.9'])).stderr).toMatch(/band was \[0\.2,0\.8\] and is \[0\.1,0\.9\]/);

    const interrupted = await synth(second, ['--resume'], { killWhen: () => lines(second) >= 8, signal: 'SIGINT' });
    expect([interrupted.code, interrupted.stderr]).toEqual([3, expect.stringMatching(/^tadpole: Interrupted\. .*--resume/)]);
    note();

    server.setDown(true);
    const dead = await synth(second, ['--resume']);
    server.setDown(false);
    expect(dead.code).toBe(3);
    expect(dead.stderr).toMatch(
      /the policy failed 3 of them in a row: policy: Policy play at http:.*\n.*go on with the same command and --resume/,
    );
    note();

    const { code, stdout } = await synth(second, ['--resume', '--json']);
    expect(code).toBe(0);
    expect(tasksOf(second)).toEqual(tasksOf(first));
    expect(readFileSync(join(second, 'state.json'), 'utf8')).toBe(readFileSync(join(first, 'state.json'), 'utf8'));
    expect(bodiesOf(second)).toEqual(bodiesOf(first));
    for (const { seeds, begunBefore } of finished) {
      expect(seeds.size).toBeGreaterThan(0);
      expect(server.begun.slice(begunBefore).filter((seed) => seeds.has(seed))).toEqual([]);
    }
    const keys = scoredOf(second).map((record) => record.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect([...keys].sort()).toEqual(
      scoredOf(first)
        .map((record) => record.key)
        .sort(),
    );
    const { costUsd } = JSON.parse(stdout) as { costUsd: number };
    expect(costUsd).toBeCloseTo(costOf(second), 9);
    expect(costUsd).toBeCloseTo(costOf(first), 9);
  }, 1_800_000);

  it('ends with exit code 1 and what it has when the budget is spent, and goes on with a greater one', async () => {
    const third = join(temporaryFolder(), 'third');
    cpSync(first, third, { recursive: true });
    const { code, stdout } = await synth(third, ['--resume', '--max-rollouts', '6']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^0 tasks admitted: the budget is spent/m);
    const again = await synth(third, ['--resume']);
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^1 tasks? admitted: as many as asked for/m)]);
    expect(again.stdout).toMatch(
      /^\d+ proposed, \d+ valid, \d+ measured, \d+ admitted · yield \d+ %, in the band \d+ % · \d+ rollouts, \$0\.\d{4}$/m,
    );
    expect(scoredOf(third)).toHaveLength(scoredOf(first).length);
  }, 900_000);

  it('ends in time at an endpoint that hangs, and goes on from what had ended', async () => {
    const fourth = join(temporaryFolder(), 'fourth');
    cpSync(first, fourth, { recursive: true });
    const kept = readFileSync(join(first, 'rollouts.jsonl'), 'utf8').split('\n').slice(0, 4);
    writeFileSync(join(fourth, 'rollouts.jsonl'), kept.map((line) => `${line}\n`).join(''));
    server.setHanging(true);
    const { code, stdout } = await synth(fourth, ['--resume', '--max-minutes', '0.5']);
    server.setHanging(false);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^0 tasks admitted: the budget is spent/m)]);
    expect(server.hung()).toBeGreaterThan(0);
    expect(lines(fourth)).toBe(4);
    expect((await synth(fourth, ['--resume'])).code).toBe(0);
    expect(readFileSync(join(fourth, 'state.json'), 'utf8')).toBe(readFileSync(join(first, 'state.json'), 'utf8'));
  }, 900_000);

  it('refuses to go on with a repository that has changed, its version too', async () => {
    const manifest = join(repository, 'package.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version": "1.3.0"', '"version": "1.3.1"'));
    const { code, stderr } = await synth(first, ['--resume']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/its files have changed/)]);
  }, 300_000);
});
