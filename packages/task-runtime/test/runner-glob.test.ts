import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectRunner, type Runner } from '../src/runner/connect-runner.js';
import { runnerArguments } from '../src/runner/runner-arguments.js';

const files = ['a.txt', '.hidden', 'lib/b.js', 'lib/deep/c.js', 'lib/[x].js', '.git/config', 'lib/.git/d.js', 'lib/deep/.env/e.js', 'ü.md'];

let folder: string;
let child: ChildProcess;
let runner: Runner;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tadpole-glob-'));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  const [program = '', ...words] = runnerArguments({ node: process.execPath });
  child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'], env: {} });
  runner = connectRunner({ input: child.stdin!, output: child.stdout!, workspacePath: folder, fileBytes: 1000 });
});

afterEach(async () => {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  runner.close();
  await exit;
  rmSync(folder, { recursive: true, force: true });
});

describe('the glob of the runner', () => {
  it.each([
    ['**/*.js', ['lib/[x].js', 'lib/b.js', 'lib/deep/.env/e.js', 'lib/deep/c.js']],
    ['**', ['.hidden', 'a.txt', 'lib/[x].js', 'lib/b.js', 'lib/deep/.env/e.js', 'lib/deep/c.js', 'ü.md']],
    ['*', ['.hidden', 'a.txt', 'ü.md']],
    ['*.{txt,md}', ['a.txt', 'ü.md']],
    ['?.md', ['ü.md']],
    ['lib/[x].js', ['lib/[x].js']],
    ['./lib//b.js', ['lib/b.js']],
    ['lib/**/c.js', ['lib/deep/c.js']],
    ['**/deep/**', ['lib/deep/.env/e.js', 'lib/deep/c.js']],
    ['**/**/b.js', ['lib/b.js']],
    ['lib/', []],
    ['**/config', []],
    ['.git/config', []],
    ['$(touch planted)*', []],
    ['{a,b}{c,d', []],
  ])('matches %s', async (pattern, expected) => {
    expect(await runner.glob(pattern)).toEqual(expected);
  });

  it('searches a folder, and names what it finds from the workspace', async () => {
    expect(await runner.glob('deep/?.js', { path: 'lib' })).toEqual(['lib/deep/c.js']);
    expect(await runner.glob('../a.*', { path: join(folder, 'lib') })).toEqual(['a.txt']);
    expect(await runner.glob('*', { path: 'absent' })).toEqual([]);
    expect(await runner.glob('*', { path: 'a.txt' })).toEqual([]);
    await expect(runner.glob('/etc/*')).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('follows a link to a folder when a segment names it, never by **, and ends in a loop of links', async () => {
    symlinkSync('lib', join(folder, 'link'));
    symlinkSync('..', join(folder, 'lib/up'));
    symlinkSync('../a.txt', join(folder, 'lib/link.js'));
    symlinkSync('nowhere', join(folder, 'lib/dangling.js'));
    expect(await runner.glob('link/b.js')).toEqual(['link/b.js']);
    expect(await runner.glob('l*k/b.*')).toEqual(['link/b.js']);
    expect(await runner.glob('**/b.js')).toEqual(['lib/b.js']);
    expect(await runner.glob('**/*ing.js')).toEqual([]);
    expect(await runner.glob('lib/link*')).toEqual(['lib/link.js']);
    expect(await runner.glob('**/up/lib/b.js')).toEqual(['lib/up/lib/b.js']);
  });

  it('passes over folders that nest without end, and takes names that are no UTF-8', async () => {
    execFileSync('python3', ['-c', 'import os\nfor _ in range(3000): os.mkdir("d"); os.chdir("d")'], { cwd: folder });
    execFileSync('bash', ['-c', "printf x > $'caf\\xe9.js'; mkdir $'f\\xff'; printf x > $'f\\xff/in.js'"], { cwd: folder });
    expect(await runner.glob('**/{in,caf?,b}.js')).toEqual(['caf\ufffd.js', 'f\ufffd/in.js', 'lib/b.js']);
    execFileSync('rm', ['-rf', join(folder, 'd')]);
  });

  it('matches many stars against long names without blocking', async () => {
    writeFileSync(join(folder, 'a'.repeat(250)), '');
    expect(await runner.glob(`${'*a'.repeat(60)}*b`)).toEqual([]);
  });

  it('refuses more matches than it may answer, and serves on', async () => {
    execFileSync('python3', ['-c', 'for n in range(50001): open(f"many-{n}", "w").close()'], { cwd: folder });
    await expect(runner.glob('many-*')).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await runner.glob('many-4999?')).toHaveLength(10);
  });

  it('ends above the workspace too, whatever lies there', async () => {
    const outcome = await runner.glob('../../**').catch((error: { code?: string }) => error.code);
    expect(outcome === 'invalid-input' || Array.isArray(outcome)).toBe(true);
  });
});
