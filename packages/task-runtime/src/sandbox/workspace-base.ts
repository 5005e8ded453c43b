import { existsSync } from 'node:fs';
import { chmod, cp, lchown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { hashTree, listTree, type TreeEntry } from '../hash-tree.js';
import { runProgram } from './run-program.js';

/** A workspace as sandboxes layer over it: its files, owned by the sandbox user, with a repository of one commit. */
export interface WorkspaceBase {
  /** Content hash of the workspace. */
  readonly hash: string;
  /** The tree, with its `.git`; never written again. */
  readonly tree: string;
  /** About what a copy of the tree takes. */
  readonly bytes: number;
  readonly files: number;
}

/** Attributes that make git take bytes as they are, whatever a `.gitattributes` in the tree says. */
const rawAttributes = '* -text -eol -ident -filter -working-tree-encoding !diff !merge\n';

const gitConfig = `[core]
\trepositoryformatversion = 0
\tbare = false
\tfilemode = true
\thooksPath = /dev/null
\tlogAllRefUpdates = false
\tcheckStat = minimal
\ttrustctime = false
\tfsmonitor = false
[user]
\tname = Tadpole
\temail = tadpole@localhost
[gc]
\tauto = 0
`;

/**
 * Makes bases, one for each content: a workspace is copied and committed once, whatever the number of sandboxes.
 * The commit has a fixed author and time, so that the same content gives the same commit.
 */
export function createWorkspaceBases(options: { directory: string; git: string; owner?: { uid: number; gid: number } }): {
  /** The base of a folder as it is now; with `key`, as it was when that key was first given. */
  prepare(workspace: string, key?: string): Promise<WorkspaceBase>;
} {
  const byFolder = new Map<string, { fingerprint: string; base: Promise<WorkspaceBase> }>();
  const byKey = new Map<string, Promise<WorkspaceBase>>();
  return {
    async prepare(workspace, key) {
      if (key === undefined) return asItIs(workspace);
      const name = `${key}\0${workspace}`;
      const base = byKey.get(name) ?? asItIs(workspace);
      byKey.set(name, base);
      base.catch(() => byKey.delete(name));
      return base;
    },
  };

  async function asItIs(workspace: string): Promise<WorkspaceBase> {
    if (`${options.directory}/`.startsWith(`${workspace}/`)) {
      const message = `expected a scratch folder outside the workspace ${workspace}, got ${options.directory}, which would be laid down with it`;
      throw new TadpoleError({ code: 'invalid-input', message });
    }
    const entries = await listTree(workspace);
    const fingerprint = JSON.stringify(entries);
    const previous = byFolder.get(workspace);
    if (previous?.fingerprint === fingerprint) return previous.base;
    const base = hashTree(workspace, entries).then((hash) => fromHash(workspace, hash, entries));
    byFolder.set(workspace, { fingerprint, base });
    base.catch(() => byFolder.delete(workspace));
    return base;
  }

  async function fromHash(workspace: string, hash: string, entries: readonly TreeEntry[]): Promise<WorkspaceBase> {
    const directory = join(options.directory, `${hash}-${options.owner?.uid ?? 'self'}`);
    const tree = join(directory, 'tree');
    // Pages, folders, and the repository, which holds everything once more.
    const bytes = 2 * entries.reduce((sum, entry) => sum + Math.ceil(entry.bytes / 4096) * 4096 + 4096, 0) + 1_048_576;
    const base = { hash, tree, bytes, files: 2 * entries.length + 256 };
    if (existsSync(directory)) return base;
    const draft = await mkdtemp(join(options.directory, '.building-')).catch((cause: Error) => {
      throw unwritable(options.directory, cause);
    });
    try {
      await build(workspace, draft);
    } catch (cause) {
      await rm(draft, { recursive: true, force: true });
      throw cause instanceof TadpoleError ? cause : unwritable(options.directory, cause as Error);
    }
    try {
      await rename(draft, directory);
    } catch (error) {
      // Another process made the same base in the meantime.
      await rm(draft, { recursive: true, force: true });
      if (!existsSync(directory)) throw error;
    }
    return base;
  }

  async function build(workspace: string, draft: string): Promise<void> {
    const tree = join(draft, 'tree');
    await chmod(draft, 0o755);
    await cp(workspace, tree, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      filter: (source) => basename(source) !== '.git',
    });
    await settle(tree);
    const repository = join(tree, '.git');
    for (const folder of ['objects', 'refs/heads', 'info']) await mkdir(join(repository, folder), { recursive: true });
    await writeFile(join(repository, 'HEAD'), 'ref: refs/heads/main\n');
    await writeFile(join(repository, 'config'), gitConfig);
    await writeFile(join(repository, 'info/attributes'), rawAttributes);
    const date = '2000-01-01T00:00:00Z';
    const env = {
      ...{ GIT_DIR: repository, GIT_WORK_TREE: tree, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/nonexistent' },
      ...{ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    };
    const git = (...words: string[]) => runProgram({ program: options.git, arguments: words, env, cwd: tree });
    await git('add', '--all', '--force', '.');
    await git('commit', '--quiet', '--allow-empty', '--no-verify', '--no-gpg-sign', '--message', 'Base');
    await git('repack', '-adq');
    await rm(join(repository, 'COMMIT_EDITMSG'), { force: true });
    await settle(repository);
  }

  /** Gives a tree to the sandbox user and makes it readable and writable for that user. */
  async function settle(path: string): Promise<void> {
    for (const child of await readdir(path, { withFileTypes: true })) {
      const inner = join(path, child.name);
      if (child.isDirectory()) await settle(inner);
      else {
        if (options.owner !== undefined) await lchown(inner, options.owner.uid, options.owner.gid);
        if (child.isFile()) await makeWritable(inner);
      }
    }
    if (options.owner !== undefined) await lchown(path, options.owner.uid, options.owner.gid);
    await chmod(path, 0o755);
  }

  async function makeWritable(file: string): Promise<void> {
    const { mode } = await stat(file);
    const wanted = (mode & 0o100) === 0 ? 0o644 : 0o755;
    if ((mode & 0o777) !== wanted) await chmod(file, wanted);
  }
}

function unwritable(directory: string, cause: Error): TadpoleError {
  return new TadpoleError({ code: 'storage', message: `expected to lay a workspace down in ${directory}, got: ${cause.message}`, cause });
}
