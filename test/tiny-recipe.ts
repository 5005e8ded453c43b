import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { recipeRepositories } from 'tadpole';

const root = fileURLToPath(new URL('..', import.meta.url));
const held = 'sorted-array-functions';
const names = [held, 'functional-red-black-tree'];

/** A recipe of two small repositories, a few tasks and two updates: everything runs, little is done. */
export const tinyOverrides = {
  repositories: recipeRepositories
    .filter((repository) => names.includes(repository.package))
    .map((repository) => ({ ...repository, heldOutFiles: repository.package === held ? repository.sourceFiles : [] })),
  heldOut: { tasks: 3 },
  // One mutant of these needs about 4 seconds, the others less than 2 or endless time: which side it is on must not depend on the load.
  agent: { limits: { cpuSeconds: 3 } },
  synthesis: { candidates: 8, tasks: 8 },
  calibration: { band: [0, 1], maxTrials: 2 },
  training: { updatesPerIteration: 2, groupsPerUpdate: 6, groupSize: 4 },
};

/** A secret in the environment of every command that these tests run. */
export const canary = 'sk-canary-5f1d0c9b7a3e4826';

/** A new folder below the system's temporary one. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tadpole-test-'));
}

/** Writes overrides to a file that `--config` takes. */
export function configurationFile(overrides: unknown): string {
  const file = join(temporaryFolder(), 'configuration.json');
  writeFileSync(file, JSON.stringify(overrides));
  return file;
}

/** What a command of `tadpole` did. */
export interface CommandResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the `tadpole` command in a process of its own.
 *
 * @param options.killWhen - asked every few milliseconds; once true, the process and its children get SIGKILL.
 */
export async function tadpole(
  args: readonly string[],
  options: { killWhen?: () => boolean; signal?: NodeJS.Signals; environment?: Readonly<Record<string, string>> } = {},
): Promise<CommandResult> {
  const [program = '', ...words] = commandOf(args);
  const env = { ...process.env, TADPOLE_CANARY_API_KEY: canary, ...options.environment };
  const child = spawn(program, words, { cwd: root, detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  return await watched(child, {
    isTime: () => options.killWhen?.() === true && child.pid !== undefined,
    act: () => process.kill(-(child.pid as number), options.signal ?? 'SIGKILL'),
  });
}

/**
 * Runs the `tadpole` command in a terminal of its own, which util-linux's `script` makes. When `interruptWhen` first says so,
 * types Ctrl-C again and again until the terminal shows `until`. Standard output holds all that it shows.
 */
export async function tadpoleInTerminal(
  args: readonly string[],
  options: { interruptWhen: () => boolean; until: RegExp },
): Promise<CommandResult> {
  const command = commandOf(args)
    .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
    .join(' ');
  // The shell makes way: some would take the interrupt themselves and hide the exit code.
  const child = spawn('script', ['--quiet', '--return', '--command', `exec ${command}`, '/dev/null'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let typing: NodeJS.Timeout | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    if (options.until.test(chunk.toString())) clearInterval(typing);
  });
  child.on('close', () => clearInterval(typing));
  // What is typed after the end.
  child.stdin.on('error', () => undefined);
  return await watched(child, {
    isTime: options.interruptWhen,
    act: () => {
      typing = setInterval(() => child.stdin.write('\x03'), 10);
    },
  });
}

function commandOf(args: readonly string[]): readonly string[] {
  return [process.execPath, '--import', 'tsx', '--conditions=@tadpole/source', join(root, 'packages/tadpole/src/cli/main.ts'), ...args];
}

/** Collects what a process prints until it ends, and acts once, when it is first time to. */
async function watched(
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
  options: { isTime: () => boolean; act: () => void },
): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      output[name] += chunk.toString();
    });
  }
  const watch = setInterval(() => {
    if (!options.isTime()) return;
    clearInterval(watch);
    options.act();
  }, 5);
  return await new Promise((settle, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => {
      clearInterval(watch);
      settle({ code, signal, ...output });
    });
  });
}

/** Complete lines of a run's journal so far; 0 before there is one. */
export function journalLines(directory: string): number {
  try {
    return readFileSync(join(directory, 'journal.jsonl'), 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
}
