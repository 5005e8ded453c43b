import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { createRedactor, createRolloutJournal, type FileRolloutJournal, type RolloutEnd, readRolloutRecords } from '../src/index.js';
import { answer, collect, graderOf, policyOf, scored, start, taskOf } from './rollout-fixture.js';

const folders: string[] = [];
const journals: FileRolloutJournal[] = [];
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'rollout-journal-'));
  folders.push(made);
  return made;
};
const open = (file: string, reserve: { reserveBytes?: number } = {}) => {
  const journal = createRolloutJournal({ file, ...reserve });
  journals.push(journal);
  return journal;
};
const close = (journal: FileRolloutJournal) => {
  journals.splice(journals.indexOf(journal), 1);
  journal.close();
};
afterEach(() => {
  for (const journal of [...journals]) close(journal);
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});
const codeOf = (action: () => unknown): unknown => {
  try {
    return action();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};
const gone: Outcome = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'gone' };

describe('a rollout journal', () => {
  it('gives back every rollout that it took, after it was closed and opened again', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    const journal = open(file);
    const ends = await collect(start({ journal }));
    close(journal);
    const again = open(file);
    const records = [...again.records()];
    expect(records.map(({ key }) => key).sort()).toEqual(ends.map(({ key }) => key).sort());
    const first = ends.find(({ key }) => key === records[0]?.key)!;
    expect(records[0]).toEqual({
      ...{
        key: first.key,
        purpose: 'evaluation',
        taskId: first.task.data.id,
        taskHash: first.taskHash,
        sample: first.sample,
        seed: first.seed,
        weightsVersion: 'w1',
      },
      ...{ usage: first.usage, failedAttempts: [], trajectory: first.trajectory, outcome: first.outcome },
    });
  });

  it('lets nothing run again that is finished, and anything else that changes its meaning', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    const journal = open(file);
    const never = policyOf(() => Promise.reject(new Error('not expected')));
    await collect(start({ journal }));
    expect(await collect(start({ journal, policy: never, concurrency: 3 }))).toEqual([]);
    const changed = { ...taskOf('a'), data: { ...taskOf('a').data, instruction: 'Another.' } };
    expect(await collect(start({ journal, tasks: [changed] }))).toHaveLength(2);
    for (const given of [{ weightsVersion: 'w2' }, { limits: { maxTurns: 3 } }, { profile: 'leaf-exact' }, { seedFor: () => 5 }])
      expect(await collect(start({ journal, ...given }))).toHaveLength(4);
    expect([...journal.records()]).toHaveLength(22);
  });

  it('has a failure of the infrastructure run again, and keeps the cost of both', async () => {
    const journal = open(join(folder(), 'rollouts.jsonl'));
    const one = { tasks: [taskOf('a')], samplesPerTask: 1, attempts: 1, journal };
    const grade = [gone, scored(1)];
    const grader = graderOf(async () => grade.shift()!);
    await collect(start({ ...one, grader }));
    await collect(start({ ...one, grader }));
    expect(await collect(start({ ...one, grader }))).toEqual([]);
    expect([...journal.records()].map(({ outcome, usage }) => [outcome.status, usage.promptTokens])).toEqual([
      ['unscored', 2],
      ['scored', 2],
    ]);
  });

  it('cuts off a last line that was not finished, wherever it ends, and loses nothing before it', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    const journal = open(file);
    await collect(start({ journal }));
    close(journal);
    const content = readFileSync(file);
    const third = content.indexOf(0x0a, content.indexOf(0x0a) + 1) + 1;
    const fourth = content.indexOf(0x0a, third) + 1;
    for (const end of [third + 1, third + 100, fourth - 2]) {
      writeFileSync(file, content);
      truncateSync(file, end);
      const repaired = open(file);
      expect([...repaired.records()]).toHaveLength(2);
      expect(readFileSync(file)).toEqual(content.subarray(0, third));
      close(repaired);
    }
  });

  it('keeps a whole record whose newline is missing, and cuts nothing that no journal writes', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    const journal = open(file);
    await collect(start({ journal }));
    close(journal);
    const content = readFileSync(file, 'utf8');
    for (const lines of [4, 1]) {
      const whole = `${content.split('\n').slice(0, lines).join('\n')}\n`;
      writeFileSync(file, whole.trimEnd());
      const repaired = open(file);
      expect([...repaired.records()]).toHaveLength(lines);
      close(repaired);
      expect(readFileSync(file, 'utf8')).toBe(whole);
    }
    const foreign = content.replaceAll('\n', '\r');
    writeFileSync(file, foreign);
    expect(codeOf(() => createRolloutJournal({ file }))).toBe('invalid-input');
    expect(readFileSync(file, 'utf8')).toBe(foreign);
  });

  it('can be closed twice without harm to the next one, and refuses a reserve that is none and a file that is none', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    const first = open(file);
    close(first);
    const second = open(file);
    first.close();
    await collect(start({ journal: second }));
    expect(codeOf(() => createRolloutJournal({ file }))).toBe('storage');
    close(second);
    for (const reserveBytes of [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, '1mb' as never])
      expect(codeOf(() => createRolloutJournal({ file, reserveBytes }))).toBe('invalid-input');
    const pipe = join(folder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(codeOf(() => createRolloutJournal({ file: pipe }))).toBe('storage');
  });

  it('goes on to the same rollouts from a file that was cut off at any byte, and repeats only those that are not in it', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    const journal = open(file);
    await collect(start({ journal, concurrency: 1 }));
    const keys = [...journal.records()].map(({ key }) => key);
    close(journal);
    const content = readFileSync(file);
    for (let end = 0; end <= content.length; end += 311) {
      writeFileSync(file, content.subarray(0, end));
      const resumed = open(file);
      const before = [...resumed.records()].map(({ key }) => key);
      const rest = await collect(start({ journal: resumed }));
      expect(before).toEqual(keys.slice(0, before.length));
      expect(rest.map(({ key }) => key).sort()).toEqual(keys.slice(before.length).sort());
      expect([...resumed.records()].map(({ key }) => key).sort()).toEqual([...keys].sort());
      close(resumed);
    }
  });

  it('holds no secret that a model wrote, neither a known one nor a key of a known form', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    const [known, form] = ['open sesame', `ghp_${'a1B2'.repeat(9)}`];
    const leaking = policyOf(async () => ({
      ...answer,
      message: { ...answer.message, content: `${known} ${form}`, reasoning: btoa(known) },
    }));
    const redactor = createRedactor({ secrets: { DOOR: known } });
    await collect(start({ journal: open(file), policy: leaking, purpose: 'evaluation', redactor }));
    const written = readFileSync(file, 'utf8');
    for (const text of [known, form, btoa(known).slice(0, 12)]) expect(written).not.toContain(text);
    expect(written.match(/\[redacted:DOOR\]/g)).toHaveLength(8);
  });

  it.each([
    ['no JSON', '{"key":'],
    ['no record', '{"key":"k"}'],
  ])('refuses a line in the middle that is %s, with its number', async (_what, line) => {
    const file = join(folder(), 'rollouts.jsonl');
    const journal = open(file);
    await collect(start({ journal, tasks: [taskOf('a')], samplesPerTask: 1 }));
    close(journal);
    const [record] = readFileSync(file, 'utf8').split('\n');
    appendFileSync(file, `${line}\n${record}\n`);
    expect(() => createRolloutJournal({ file })).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining(`${file}:2: `) }),
    );
    // The lock is given back: the file can be repaired and opened.
    writeFileSync(file, `${record}\n`);
    expect([...open(file).records()]).toHaveLength(1);
  });

  it('has one writer, takes the lock of a dead one over, and keeps off a process that only has the same id', () => {
    const file = join(folder(), 'rollouts.jsonl');
    const first = open(file);
    expect(codeOf(() => createRolloutJournal({ file }))).toBe('storage');
    close(first);
    expect(existsSync(`${file}.lock`)).toBe(false);

    const dead = Number(execFileSync('bash', ['-c', 'echo $$'], { encoding: 'utf8' }));
    for (const owner of [{ pid: dead, started: '1' }, { pid: process.pid, started: '1' }, 'torn']) {
      writeFileSync(`${file}.lock`, JSON.stringify(owner));
      close(open(file));
    }
  });

  it('throws a storage error on a full disk and keeps what was finished, which a later run does not repeat', async () => {
    const directory = folder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', directory]);
    const file = join(directory, 'rollouts.jsonl');
    const given = { tasks: Array.from({ length: 60 }, (_, index) => taskOf(`t${index}`)), samplesPerTask: 1 };
    try {
      const full = open(file, { reserveBytes: 0 });
      const yielded: RolloutEnd[] = [];
      const fill = async () => {
        for await (const end of start({ ...given, journal: full })) yielded.push(end);
      };
      await expect(fill()).rejects.toMatchObject({ code: 'storage' });
      execFileSync('mount', ['-o', 'remount,size=10m', directory]);
      const kept = [...full.records()].map(({ key }) => key);
      expect(kept.length).toBeGreaterThan(5);
      expect(kept).toEqual(expect.arrayContaining(yielded.map(({ key }) => key)));
      const rest = await collect(start({ ...given, journal: full }));
      expect(rest).toHaveLength(60 - kept.length);
      close(full);
      const roomy = open(file, { reserveBytes: 0 });
      expect(new Set([...roomy.records()].map(({ key }) => key)).size).toBe(60);
      close(roomy);
    } finally {
      execFileSync('umount', [directory]);
    }
  });

  it('is read while another writes it, without a lock, and a name that is none is no empty journal', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    expect(codeOf(() => [...readRolloutRecords({ file })])).toBe('storage');
    expect(existsSync(file)).toBe(false);
    const journal = open(file);
    const ends = await collect(start({ journal }));
    expect([...readRolloutRecords({ file })].map(({ key }) => key).sort()).toEqual(ends.map(({ key }) => key).sort());
    appendFileSync(file, '{"key":"half of a li');
    expect([...readRolloutRecords({ file })]).toHaveLength(ends.length);
  });

  it('ends the run before the disk is full', async () => {
    const directory = folder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory]);
    try {
      const journal = open(join(directory, 'rollouts.jsonl'), { reserveBytes: 32 * 1024 });
      const tasks = Array.from({ length: 60 }, (_, index) => taskOf(`t${index}`));
      const ended = collect(start({ tasks, samplesPerTask: 1, journal }));
      await expect(ended).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('32768 bytes to stay free') });
      writeFileSync(join(directory, 'summary'), 'x'.repeat(24 * 1024));
      expect([...journal.records()].length).toBeGreaterThan(3);
      close(journal);
    } finally {
      execFileSync('umount', [directory]);
    }
  });

  it('throws a storage error for a folder that is not there and for a device that is full', async () => {
    const directory = folder();
    expect(codeOf(() => createRolloutJournal({ file: join(directory, 'absent', 'rollouts.jsonl') }))).toBe('storage');
    symlinkSync('/dev/full', join(directory, 'full'));
    const journal = open(join(directory, 'full'), { reserveBytes: 0 });
    await expect(collect(start({ journal }))).rejects.toMatchObject({ code: 'storage' });
  });
});

/** A program of its own that rolls out twenty times and prints each key; after so many model calls it waits to be stopped. */
function program(file: string, calls = 20) {
  const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `
    import { createRolloutJournal, stopOnProcessSignals } from ${url('../src/index.ts')};
    import { answer, ledger, policyOf, start, taskOf, untilAborted } from ${url('./rollout-fixture.ts')};
    const journal = createRolloutJournal({ file: ${JSON.stringify(file)} });
    const { signal } = stopOnProcessSignals({ process });
    const { state, open } = ledger();
    let asked = 0;
    const policy = policyOf(async ({ signal }) => (++asked > ${calls} ? untilAborted(signal) : answer));
    const alive = setInterval(() => undefined, 1000);
    const tasks = Array.from({ length: 10 }, (_, index) => taskOf('t' + index));
    try {
      for await (const { key } of start({ tasks, journal, signal, policy, openSandbox: open })) console.log(key);
    } catch (error) {
      console.log(error.code + ' ' + state.alive);
      process.exitCode = 130;
    } finally {
      journal.close();
      clearInterval(alive);
    }`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=@tadpole/source', '--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  /** Waits until the program has printed so many lines, then does something to it, and gives its lines and its exit. */
  const after = (lines: number, act: () => void) =>
    new Promise<{ lines: string[]; code: number | null }>((resolve) => {
      let isDone = false;
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (isDone || text.split('\n').length <= lines) return;
        isDone = true;
        act();
      });
      child.on('close', (code) => resolve({ lines: text.split('\n').filter(Boolean), code }));
    });
  return { child, after };
}

describe('a program with a journal', () => {
  it('that is killed again and again ends with every rollout once, none of them run twice', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    const printed: string[] = [];
    for (const kill of [true, true, true, false]) {
      const { child, after } = program(file, kill ? 5 : 20);
      const { lines } = await after(4, () => kill && child.kill('SIGKILL'));
      printed.push(...lines);
    }
    const keys = [...open(file).records()].map(({ key }) => key);
    expect(keys).toHaveLength(20);
    expect(new Set(keys).size).toBe(20);
    expect(new Set(printed).size).toBe(printed.length);
    expect(keys).toEqual(expect.arrayContaining(printed));
  });

  it('that is asked to stop disposes its sandboxes, gives the lock back and says so', async () => {
    const file = join(folder(), 'rollouts.jsonl');
    const { child, after } = program(file, 5);
    const { lines, code } = await after(2, () => child.kill('SIGTERM'));
    expect(lines.at(-1)).toBe('aborted 0');
    expect(code).toBe(130);
    expect(existsSync(`${file}.lock`)).toBe(false);
    const kept = [...open(file).records()].map(({ key }) => key);
    expect(kept).toEqual(expect.arrayContaining(lines.slice(0, -1)));
    expect(kept.length).toBeLessThan(20);
  });
});
