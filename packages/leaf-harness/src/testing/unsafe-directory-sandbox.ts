import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type OwnedSandbox, TadpoleError } from '@tadpole/contracts';
import { glob } from 'tinyglobby';
import { runUnsafeCommand } from './run-unsafe-command.js';

/** The double with the folder on this machine that it works in. */
export interface UnsafeDirectorySandbox extends OwnedSandbox {
  readonly directory: string;
}

/**
 * A sandbox for tests that contains nothing: a temporary folder and real child processes of this user, with real
 * output, exit codes, files and git patches. Never run what a model wrote in it. Not covered: limits of memory,
 * processes, files and network; paths and links that lead out of the folder; a process that leaves its group.
 * Needs `bash` and `git` on the path.
 */
export async function unsafeDirectorySandbox(
  options: {
    /** Content of the workspace by relative path. @default empty */
    files?: Readonly<Record<string, string | Uint8Array>>;
    /** Wall time of a command that gives none. @default 10_000 */
    timeoutMs?: number;
    /** Bytes kept of each output stream. @default 1_000_000 */
    outputBytes?: number;
  } = {},
): Promise<UnsafeDirectorySandbox> {
  const { files = {}, timeoutMs = 10_000, outputBytes = 1_000_000 } = options;
  const root = await realpath(await mkdtemp(join(tmpdir(), 'unsafe-sandbox-')));
  const directory = join(root, 'workspace');
  await mkdir(directory);
  let isOpen = true;
  const assertOpen = () => {
    if (!isOpen) throw new TadpoleError({ code: 'sandbox', message: 'Expected an open sandbox, received one that was disposed.' });
  };
  const run: OwnedSandbox['run'] = (command) => {
    assertOpen();
    const cwd = command.cwd === undefined ? directory : resolve(directory, command.cwd);
    return runUnsafeCommand({ ...command, cwd, timeoutMs: command.timeoutMs ?? timeoutMs, outputBytes });
  };
  const git = async (...commands: string[]) => {
    const command = commands
      .map((args) => `git -c core.autocrlf=false -c user.name=base -c user.email=base@localhost ${args}`)
      .join(' && ');
    const result = await run({ command, env: { GIT_DIR: join(root, 'base.git'), GIT_WORK_TREE: directory } });
    if (result.exitCode !== 0) throw new TadpoleError({ code: 'sandbox', message: `${command} failed: ${result.stderr}` });
    return result.stdout;
  };
  const write: OwnedSandbox['writeFile'] = async (path, content) => {
    assertOpen();
    await mkdir(dirname(resolve(directory, path)), { recursive: true });
    await writeFile(resolve(directory, path), content);
  };

  for (const [path, content] of Object.entries(files)) await write(path, content);
  await git('init -q', 'add -A -f', 'commit -q --allow-empty -m base');

  return {
    id: root,
    directory,
    run,
    writeFile: write,
    async readFile(path) {
      assertOpen();
      const file = resolve(directory, path);
      const status = await stat(file).catch(() => null);
      if (status === null) return null;
      if (!status.isFile())
        throw new TadpoleError({ code: 'invalid-input', message: `${path}: expected a regular file, received a folder or device.` });
      return readFile(file);
    },
    async glob(pattern, { path = '.' } = {}) {
      assertOpen();
      const found = await glob(pattern, { cwd: resolve(directory, path), dot: true, absolute: true, followSymbolicLinks: false });
      return found.map((file) => file.slice(directory.length + 1)).sort();
    },
    async diff() {
      assertOpen();
      return git('add -A -f', 'diff --cached --binary');
    },
    async dispose() {
      isOpen = false;
      await rm(root, { recursive: true, force: true });
    },
  };
}
