import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectRunner, type Runner } from '../src/runner/connect-runner.js';
import { runnerArguments } from '../src/runner/runner-arguments.js';

const fileBytes = 1_000_000;
const isRoot = process.getuid?.() === 0;
const refused = { code: 'invalid-input' };
const file = fileURLToPath(new URL('../assets/sandbox-runner.cjs', import.meta.url));
const commands = {
  'one argument': runnerArguments({ node: process.execPath }),
  'a file': [process.execPath, file, '{}'],
} as const;

let folder: string;
let child: ChildProcess;
let runner: Runner;

function start(words: readonly string[]): void {
  const [program = '', ...rest] = words;
  child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'], env: {}, ...(isRoot ? { uid: 63_212, gid: 63_212 } : {}) });
  runner = connectRunner({ input: child.stdin!, output: child.stdout!, workspacePath: folder, fileBytes });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tadpole-runner-'));
  chmodSync(folder, 0o777);
});

afterEach(async () => {
  const exit = child.exitCode ?? new Promise((resolve) => child.once('exit', resolve));
  runner.close();
  await exit;
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.entries(commands))('the runner given as %s', (_, words) => {
  beforeEach(() => start(words));

  it('reads and writes bytes, makes folders and keeps the mode of a file', async () => {
    const bytes = new Uint8Array([0, 255, 10, 13, 128]);
    await runner.writeFile('new/folder/-name with "quotes" $x ü', bytes);
    expect(await runner.readFile('new/folder/-name with "quotes" $x ü')).toEqual(bytes);
    expect(statSync(join(folder, 'new/folder/-name with "quotes" $x ü')).mode & 0o777).toBe(0o644);
    await runner.writeFile('script', '#!/bin/sh');
    chmodSync(join(folder, 'script'), 0o755);
    await runner.writeFile(join(folder, 'script'), '');
    expect([statSync(join(folder, 'script')).mode & 0o777, readFileSync(join(folder, 'script'), 'utf8')]).toEqual([0o755, '']);
  });
});

describe('the runner', () => {
  beforeEach(() => start(commands['one argument']));

  it('answers many requests at one time, each with its own file', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    await Promise.all(numbers.map((number) => runner.writeFile(`file-${number}`, String(number))));
    const read = await Promise.all(numbers.map((number) => runner.readFile(`file-${number}`)));
    expect(read.map((bytes) => Buffer.from(bytes!).toString())).toEqual(numbers.map(String));
  });

  it('answers null for what is absent, behind a file, in a loop of links or at a path too long', async () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('loop', join(folder, 'loop'));
    for (const path of ['absent/file', 'file/below', 'loop', 'x/'.repeat(3000)]) expect(await runner.readFile(path), path).toBe(null);
  });

  it('refuses what is no regular file, and goes on', async () => {
    const socket = createServer().listen(join(folder, 'socket'));
    execFileSync('bash', ['-c', 'mkfifo fifo'], { cwd: folder });
    for (const [name, target] of Object.entries({ zero: '/dev/zero', tty: '/dev/ptmx', link: 'fifo', kernel: '/proc/self/mem' }))
      symlinkSync(target, join(folder, name));
    mkdirSync(join(folder, 'folder'));
    for (const path of ['fifo', 'zero', 'tty', 'link', 'kernel', 'folder', 'socket', '']) {
      await expect(runner.readFile(path), path).rejects.toMatchObject(refused);
      await expect(runner.writeFile(path, 'x'), path).rejects.toMatchObject(refused);
    }
    await expect(runner.writeFile('/proc/self/oom_score_adj', '1000')).rejects.toMatchObject(refused);
    await expect(runner.readFile('/proc/self/environ')).rejects.toMatchObject(refused);
    await new Promise((resolve) => socket.close(resolve));
    expect(await runner.readFile('absent')).toBe(null);
  });

  it('refuses a file that its user may not read or write, and one over the limit before a byte is read', async () => {
    writeFileSync(join(folder, 'secret'), 'x', { mode: 0 });
    mkdirSync(join(folder, 'closed'), { mode: 0 });
    for (const path of ['secret', 'closed/file']) await expect(runner.writeFile(path, 'x'), path).rejects.toMatchObject(refused);
    await expect(runner.readFile('secret')).rejects.toMatchObject(refused);
    expect(await runner.readFile('closed/file')).toBe(null);
    writeFileSync(join(folder, 'sparse'), '');
    truncateSync(join(folder, 'sparse'), 30_000_000_000);
    writeFileSync(join(folder, 'limit'), new Uint8Array(fileBytes));
    await expect(runner.readFile('sparse')).rejects.toMatchObject(refused);
    expect((await runner.readFile('limit'))?.length).toBe(fileBytes);
    await expect(runner.writeFile('large', new Uint8Array(fileBytes + 1))).rejects.toMatchObject(refused);
  });

  it('reads no more than the limit of a file that grows', async () => {
    const writer = spawn('sh', ['-c', 'ulimit -f 20000; exec yes >growing'], { cwd: folder, stdio: 'ignore' });
    const ended = new Promise((resolve) => writer.once('exit', resolve));
    for (let round = 0; round < 200; round += 1) {
      const outcome = await runner.readFile('growing').catch((error: { code?: string }) => error.code);
      if (outcome === 'invalid-input') break;
      if (outcome instanceof Uint8Array) expect(outcome.length).toBeLessThanOrEqual(fileBytes);
    }
    await ended;
    await expect(runner.readFile('growing')).rejects.toMatchObject(refused);
  });

  it('ends the wait at the signal and serves on', async () => {
    await expect(runner.readFile('x', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    const controller = new AbortController();
    const search = runner.glob('**', { path: '/', signal: controller.signal });
    controller.abort();
    await expect(search).rejects.toMatchObject({ code: 'aborted' });
    expect(await runner.readFile('absent')).toBe(null);
  });

  it('rejects everything in flight and afterwards when it is killed', async () => {
    const search = runner.glob('**', { path: '/' });
    child.kill('SIGKILL');
    await expect(search).rejects.toMatchObject({ code: 'sandbox' });
    await expect(runner.readFile('x')).rejects.toMatchObject({ code: 'sandbox' });
    expect(await runner.ended).toMatchObject({ code: 'sandbox' });
  });
});
