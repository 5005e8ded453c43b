import { spawn } from 'node:child_process';
import { lstat, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { TadpoleError } from '@tadpole/contracts';
import type Dockerode from 'dockerode';
import { requireProgram } from '../sandbox/find-program.js';
import { systemEnvironment } from '../sandbox/run-program.js';
import { agentUser, type BaseSize } from './container-options.js';
import { execInContainer } from './exec-in-container.js';

const pageBytes = 4096;

/** What a base takes on a memory file system: files in whole pages, and an inode for each entry. */
export async function measureBase(tree: string): Promise<BaseSize> {
  const all = await measure(tree);
  const repository = await measure(join(tree, '.git'));
  return { ...all, repositoryBytes: repository.bytes, repositoryEntries: repository.entries };
}

async function measure(path: string): Promise<{ bytes: number; entries: number }> {
  const stats = await lstat(path);
  const total = { bytes: stats.isFile() ? Math.ceil(stats.size / pageBytes) * pageBytes : 0, entries: 1 };
  for (const child of stats.isDirectory() ? await readdir(path) : []) {
    const inner = await measure(join(path, child));
    total.bytes += inner.bytes;
    total.entries += inner.entries;
  }
  return total;
}

/** Folders below the workspace that an engine made on the way to a mount point, and that must be the commands' own. */
export function foldersAboveMounts(options: { workspacePath: string; targets: readonly string[] }): readonly string[] {
  const folders = new Set([options.workspacePath]);
  for (const target of insideOf(options)) {
    for (let folder = posix.dirname(target); folder !== options.workspacePath; folder = posix.dirname(folder)) folders.add(folder);
  }
  return [...folders];
}

function insideOf(options: { workspacePath: string; targets: readonly string[] }): readonly string[] {
  return options.targets.filter((target) => target.startsWith(`${options.workspacePath}/`));
}

/** Copies a base into a container's workspace as an archive over a process's standard input, which every engine takes. */
export async function layDownWorkspace(options: {
  docker: Dockerode;
  container: Dockerode.Container;
  tree: string;
  workspacePath: string;
  /** Mount points; those in the workspace are left out. */
  targets: readonly string[];
}): Promise<void> {
  const tar = requireProgram('tar');
  const excluded = insideOf(options).flatMap((target) => ['--exclude', `./${posix.relative(options.workspacePath, target)}`]);
  const unpack = await execInContainer({ ...options, command: ['tar', '-x', '-f', '-', '-C', options.workspacePath], user: agentUser });
  unpack.output.resume();
  // Without COPYFILE_DISABLE, the archiver of macOS adds files of its own.
  const env = { ...systemEnvironment, COPYFILE_DISABLE: '1' };
  const pack = spawn(tar, [...excluded, '-c', '-f', '-', '-C', options.tree, '.'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const packed = new Promise<number | null>((resolve, reject) => pack.once('error', reject).once('close', resolve));
  const piped = await pipeline(pack.stdout, unpack.input).catch((error: Error) => error);
  const said = await unpack.ended;
  const code = await unpack.exitCode();
  if ((await packed) !== 0 || code !== 0) {
    const message = `expected to lay down the workspace by tar, got exit ${code}: ${said || (piped?.message ?? '')}`;
    throw new TadpoleError({ code: code === 126 || code === 127 ? 'missing-dependency' : 'sandbox', message });
  }
}
