import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate } from '@tadpole/contracts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCommitGenerator } from '../src/reversal/create-commit-generator.js';
import { createSampleHistory, type SampleHistory } from './support/sample-history.js';
import { sampleFiles, sampleSnapshot, writeProject } from './support/sample-project.js';

const range = sampleFiles['lib/range.js']!;
const faulty = range.replace('value <= high', 'value < high');
const files = { ...sampleFiles, 'lib/range.js': faulty };

function fixedHistory(initFlags: readonly string[] = []): SampleHistory {
  return createSampleHistory({ steps: [files, { 'lib/range.js': range }], initFlags });
}

async function propose(options: { repository: string; signal?: AbortSignal; gitTimeoutMs?: number }): Promise<Candidate[]> {
  const { repository, signal, ...settings } = options;
  const candidates: Candidate[] = [];
  const proposing = createCommitGenerator({ repository, ...settings }).propose({
    snapshot: sampleSnapshot(),
    random: () => 0,
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const candidate of proposing) candidates.push(candidate);
  return candidates;
}

test('nothing that a repository configures is run or obeyed', async () => {
  const history = fixedHistory();
  const marker = join(writeProject({}), 'ran');
  const program = join(writeProject({}), 'run.sh');
  writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> ${marker}\ncat\n`);
  chmodSync(program, 0o755);
  const git = join(history.directory, '.git');
  const names = ['cat-file', 'diff-tree', 'ls-tree', 'rev-list', 'rev-parse'];
  appendFileSync(
    join(git, 'config'),
    `[alias]\n${names.map((name) => `\t${name} = !${program}\n`).join('')}[core]\n\tfsmonitor = ${program}\n\tpager = ${program}\n\thooksPath = ${git}/hooks\n\tworktree = ..\n\tsshCommand = ${program}\n\tattributesFile = ${git}/info/attributes\n` +
      `[diff]\n\texternal = ${program}\n[diff "x"]\n\ttextconv = ${program}\n\tcommand = ${program}\n[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n\tprocess = ${program}\n` +
      `[pager]\n${names.map((name) => `\t${name} = ${program}\n`).join('')}[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ext::${program}\n\tpromisor = true\n[include]\n\tpath = /nonexistent\n`,
  );
  mkdirSync(join(git, 'info'), { recursive: true });
  writeFileSync(join(git, 'info/attributes'), '* diff=x filter=x\n');
  writeFileSync(join(history.directory, '.gitattributes'), '* diff=x filter=x\n');
  for (const hook of ['post-checkout', 'reference-transaction', 'fsmonitor-watchman']) {
    mkdirSync(join(git, 'hooks'), { recursive: true });
    writeFileSync(join(git, 'hooks', hook), `#!/bin/sh\ntouch ${marker}\n`);
    chmodSync(join(git, 'hooks', hook), 0o755);
  }
  expect(await propose({ repository: history.directory })).toHaveLength(1);
  expect(existsSync(marker)).toBe(false);
  // The trap is real: git with the repository's own configuration springs it.
  history.git('show', '--ext-diff', 'HEAD');
  expect(existsSync(marker)).toBe(true);
});

test('a configuration that git itself refuses does not matter', async () => {
  const history = fixedHistory();
  writeFileSync(join(history.directory, '.git/config'), '[[[\n');
  expect(await propose({ repository: history.directory })).toHaveLength(1);
});

test('a missing object is an error, and no remote is asked for it', async () => {
  const history = fixedHistory();
  const blob = history.git('rev-parse', 'HEAD~1:lib/range.js');
  rmSync(join(history.directory, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  await expect(propose({ repository: history.directory })).rejects.toMatchObject({ code: 'invalid-input', message: /cat-file/ });
});

test('odd names, submodules, symlinks and removed folders beside the fix change nothing', async () => {
  const history = createSampleHistory({ steps: [files] });
  history.git('reset', '--quiet');
  const odd = ['lib/new\nline.js', 'lib/"quoted".js', 'lib/tab\t.js', 'lib/-flag.js', ':(glob)lib.js', 'lib/é.js'];
  for (const name of odd) writeFileSync(join(history.directory, name), 'exports.a = 1;\n');
  writeFileSync(
    Buffer.concat([Buffer.from(`${history.directory}/lib/`), Buffer.from([0xff, 0xfe]), Buffer.from('.js')]),
    'exports.a = 1;\n',
  );
  symlinkSync('/etc/passwd', join(history.directory, 'outside'));
  history.git('update-index', '--add', '--cacheinfo', `160000,${history.git('rev-parse', 'HEAD')},vendored`);
  history.git('add', '--all');
  history.git('commit', '--quiet', '--message', 'odd');
  history.commit({ 'lib/range.js': range });
  const candidates = await propose({ repository: history.directory });
  expect(candidates.map(({ lineage }) => lineage.file)).toEqual(['lib/range.js']);
});

test.each(['120000', '160000'])('a source that was of mode %s before the commit is passed over', async (mode) => {
  const history = createSampleHistory({ steps: [{ ...files, 'lib/range.js': range }] });
  history.git('reset', '--quiet');
  const object = mode === '160000' ? history.git('rev-parse', 'HEAD') : history.git('rev-parse', 'HEAD:package.json');
  history.git('update-index', '--cacheinfo', `${mode},${object},lib/list.js`);
  history.git('commit', '--quiet', '--message', 'odd');
  history.commit({ 'lib/list.js': sampleFiles['lib/list.js']! });
  expect(await propose({ repository: history.directory })).toEqual([]);
});

test('a symlink in the place of a source of the snapshot is not read', async () => {
  const history = fixedHistory();
  const snapshot = sampleSnapshot();
  rmSync(join(snapshot.directory, 'lib/range.js'));
  symlinkSync(join(history.directory, 'lib/range.js'), join(snapshot.directory, 'lib/range.js'));
  const proposing = createCommitGenerator({ repository: history.directory }).propose({ snapshot, random: () => 0 });
  const candidates: Candidate[] = [];
  for await (const candidate of proposing) candidates.push(candidate);
  expect(candidates).toEqual([]);
});

describe('repositories of every form', () => {
  test('bare, linked, shallow and packed ones are read; a folder inside one is not', async () => {
    const { directory, git } = fixedHistory();
    const beside = writeProject({});
    git('clone', '--quiet', '--bare', directory, join(beside, 'bare'));
    git('worktree', 'add', '--quiet', '--detach', join(beside, 'linked'));
    git('clone', '--quiet', '--depth=2', `file://${directory}`, join(beside, 'shallow'));
    git('clone', '--quiet', '--depth=1', `file://${directory}`, join(beside, 'single'));
    git('gc', '--quiet');
    for (const repository of [join(beside, 'bare'), join(beside, 'linked'), join(beside, 'shallow'), directory, join(directory, '.git')])
      expect(await propose({ repository }), repository).toHaveLength(1);
    expect(await propose({ repository: join(beside, 'single') })).toEqual([]);
    await expect(propose({ repository: join(directory, 'lib') })).rejects.toMatchObject({ code: 'invalid-input', message: /HEAD/ });
  });

  test('one with SHA-256 objects, without commits, or that is none is refused with a reason', async () => {
    const sha256 = fixedHistory(['--object-format=sha256']);
    await expect(propose({ repository: sha256.directory })).rejects.toMatchObject({ code: 'invalid-input', message: /HEAD/ });
    sha256.git('update-ref', '--no-deref', 'HEAD', 'refs/heads/main');
    await expect(propose({ repository: sha256.directory })).rejects.toMatchObject({ code: 'unsupported' });
    const empty = writeProject({});
    execFileSync('git', ['init', '--quiet', empty]);
    await expect(propose({ repository: empty })).rejects.toMatchObject({ code: 'invalid-input', message: /commit/ });
    await expect(propose({ repository: '/nonexistent' })).rejects.toMatchObject({ code: 'invalid-input' });
    const odd = fixedHistory();
    writeFileSync(join(odd.directory, '.git/HEAD'), 'ref: ../../etc/passwd\n');
    await expect(propose({ repository: odd.directory })).rejects.toMatchObject({ code: 'invalid-input', message: /HEAD/ });
  });

  test('a pipe in the place of HEAD is refused, and one in the place of a branch ends by the time limit or the signal', async () => {
    const { directory } = fixedHistory();
    const branch = join(directory, '.git/refs/heads/main');
    rmSync(branch);
    execFileSync('mkfifo', [branch]);
    await expect(propose({ repository: directory, gitTimeoutMs: 100 })).rejects.toMatchObject({ code: 'invalid-input', message: /100 ms/ });
    const controller = new AbortController();
    const ended = propose({ repository: directory, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(ended).rejects.toMatchObject({ code: 'aborted' });
    rmSync(join(directory, '.git/HEAD'));
    execFileSync('mkfifo', [join(directory, '.git/HEAD')]);
    await expect(propose({ repository: directory })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('no folder of ours is left, and the repository is as it was', async () => {
    const { directory } = fixedHistory();
    const snapshot = sampleSnapshot();
    const own = readdirSync(join(directory, '.git'));
    const scratch = writeProject({});
    vi.stubEnv('TMPDIR', scratch);
    onTestFinished(() => void vi.unstubAllEnvs());
    for await (const _ of createCommitGenerator({ repository: directory }).propose({ snapshot, random: () => 0 })) {
      expect(readdirSync(scratch)).toEqual([expect.stringMatching(/^tadpole-history-/)]);
      break;
    }
    expect(readdirSync(scratch)).toEqual([]);
    expect(readdirSync(join(directory, '.git'))).toEqual(own);
  });
});
