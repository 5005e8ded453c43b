import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { runProgram, systemEnvironment } from '../sandbox/run-program.js';

const environment = { ...systemEnvironment, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/nonexistent', LC_ALL: 'C' };

/** Settings under which git takes bytes as they are and runs nothing of a repository's own. */
const settings = ['core.autocrlf=false', 'core.hooksPath=/dev/null', 'core.fsmonitor=false', 'safe.directory=*'].flatMap((setting) => [
  '-c',
  setting,
]);

/**
 * Writes the files of one commit of a repository into a folder, without history and whatever its working tree holds.
 * @throws TadpoleError `invalid-input` when there is no such repository or commit.
 */
export async function checkOutCommit(options: { repository: string; commit: string; into: string }): Promise<void> {
  const { repository, commit, into } = options;
  const scratch = await mkdtemp(join(tmpdir(), 'tadpole-index-'));
  try {
    await mkdir(into, { recursive: true });
    const directory = String(await git(['rev-parse', '--absolute-git-dir'], { cwd: repository })).trim();
    const env = { GIT_DIR: directory, GIT_WORK_TREE: into, GIT_INDEX_FILE: join(scratch, 'index') };
    await git(['read-tree', '--end-of-options', `${commit}^{tree}`], { cwd: into, env });
    await git(['checkout-index', '--all', '--force'], { cwd: into, env });
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected a git repository with the commit ${commit} at ${repository}, got: ${(cause as Error).message}`,
      cause,
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Applies a git patch to a folder of files.
 * @returns the files that it made or changed, those that it removed, and the patch that undoes it.
 * @throws TadpoleError `invalid-input` when it does not apply.
 */
export async function applyToTree(options: {
  directory: string;
  patch: string;
  /** What the patch is called in messages. */
  name: string;
}): Promise<{ written: readonly string[]; removed: readonly string[]; reverse: string }> {
  const scratch = await mkdtemp(join(tmpdir(), 'tadpole-patch-'));
  const cwd = options.directory;
  try {
    const { env, file } = await patchRepository({ scratch, directory: cwd, patch: options.patch });
    const base = String(await git(['write-tree'], { cwd, env })).trim();
    await git(['apply', '--index', '--whitespace=nowarn', file], { cwd, env }).catch((cause: Error) => {
      const message = `expected ${options.name} to apply to its commit, got: ${cause.message}`;
      throw new TadpoleError({ code: 'invalid-input', message, cause });
    });
    const compare = ['diff-index', '--cached', '--no-renames'];
    const status = String(await git([...compare, '--name-status', '-z', base], { cwd, env })).split('\0');
    const changes = Array.from({ length: Math.floor(status.length / 2) }, (_, index) => ({
      kind: status[2 * index] ?? '',
      path: status[2 * index + 1] ?? '',
    }));
    const reverse = await git([...compare, '-R', '--patch', '--binary', '--full-index', base], { cwd, env });
    return {
      written: changes.filter(({ kind }) => kind !== 'D').map(({ path }) => path),
      removed: changes.filter(({ kind }) => kind === 'D').map(({ path }) => path),
      reverse: String(reverse),
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Changes nothing. @throws TadpoleError `invalid-input` when a git patch does not apply to a folder of files. */
export async function assertApplies(options: {
  directory: string;
  patch: string;
  /** What the patch is called in messages. */
  name: string;
}): Promise<void> {
  const { directory, patch, name } = options;
  const scratch = await mkdtemp(join(tmpdir(), 'tadpole-patch-'));
  try {
    const { env, file } = await patchRepository({ scratch, directory, patch });
    await git(['apply', '--index', '--check', '--whitespace=nowarn', file], { cwd: directory, env });
    await git(['apply', '--cached', '--whitespace=nowarn', file], { cwd: directory, env });
    // A file below a file is in an index, never in a tree.
    await git(['write-tree'], { cwd: directory, env });
  } catch (cause) {
    const message = `expected ${name} to apply to ${directory}, got: ${(cause as Error).message}`;
    throw new TadpoleError({ code: 'invalid-input', message, cause });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A repository of its own whose working tree is the folder: no setting, attribute or history of the folder's own is read. */
async function patchRepository(options: { scratch: string; directory: string; patch: string }) {
  const { scratch, directory: cwd } = options;
  const [repository, file] = [join(scratch, 'git'), join(scratch, 'patch')];
  const env = { GIT_DIR: repository, GIT_WORK_TREE: cwd };
  await git(['init', '--quiet', '--template='], { cwd, env });
  await mkdir(join(repository, 'info'), { recursive: true });
  await writeFile(join(repository, 'info/attributes'), '* -text -eol -ident -filter -working-tree-encoding !diff !merge\n');
  await writeFile(file, options.patch);
  await git(['add', '--all', '--force', '.'], { cwd, env });
  return { env, file };
}

async function git(words: readonly string[], options: { cwd: string; env?: Readonly<Record<string, string>> }): Promise<Buffer> {
  const { cwd, env } = options;
  return runProgram({ program: 'git', arguments: [...settings, ...words], cwd, env: { ...environment, ...env } }).catch((error: Error) => {
    error.message = error.message.replace('git -c to succeed', `git ${words[0]} to succeed`);
    throw error;
  });
}
