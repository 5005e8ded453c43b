import { isTadpoleError, type OwnedSandbox, type RunResult, type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import { type RunnerCommand, type RunnerResult, runByRunner } from '../runner/runner-commands.js';
import { runnerFiles } from '../runner/runner-files.js';
import { capturePatch, type SandboxPaths } from '../sandbox/capture-patch.js';
import { outputText } from '../sandbox/captured-output.js';
import { readRunRequest } from '../sandbox/run-request.js';
import { runResult, unfitResult } from '../sandbox/run-result.js';
import type { RunScript } from '../sandbox/run-script.js';
import { agentUser, rootUser } from './container-options.js';
import type { ContainerRunner } from './start-runner.js';

const nothing = { head: Buffer.alloc(0), tail: Buffer.alloc(0), droppedBytes: 0 };

/**
 * A sandbox over one container. Commands run one at a time, as everything that they started ends with them; files are
 * served meanwhile. A runner that is killed, such as for want of memory, is replaced, and the command that it ran ends as
 * killed; when the container itself is gone, calls throw `sandbox`.
 */
export function dockerSandbox(options: {
  id: string;
  first: ContainerRunner;
  /** Starts another runner, with nothing else alive in the container. */
  startRunner: () => Promise<ContainerRunner>;
  /** Removes the container, verified. */
  remove: () => Promise<void>;
  limits: SandboxLimits;
  /** `temporary` does not exist between two captures, and its parent is out of the commands' reach. */
  paths: SandboxPaths & { readonly temporary: string };
  hasGit: boolean;
  env: Readonly<Record<string, string>>;
  now: () => number;
}): OwnedSandbox {
  const { id, limits, paths, env } = options;
  const ended = new AbortController();
  const prefix = limitLines(limits);
  let current: ContainerRunner | undefined;
  let disposal: Promise<void> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  adopt(options.first);

  function adopt(next: ContainerRunner): ContainerRunner {
    current = next;
    next.connection.ended.then(() => {
      if (current === next) current = undefined;
    });
    return next;
  }

  function assertOpen(): void {
    if (disposal !== undefined) throw new TadpoleError({ code: 'sandbox', message: `expected an open sandbox, but ${id} was disposed` });
  }

  /** Calls take turns; one that failed does not hold up the next. */
  function inTurn<Value>(call: () => Promise<Value>): Promise<Value> {
    const result = turn.then(call);
    turn = result.catch(() => {});
    return result;
  }

  async function launch(command: RunnerCommand): Promise<RunnerResult> {
    assertOpen();
    const runner = current ?? adopt(await options.startRunner());
    const signal = command.signal === undefined ? ended.signal : AbortSignal.any([ended.signal, command.signal]);
    try {
      return await runByRunner({ ...command, connection: runner.connection, signal });
    } catch (error) {
      if (signal.aborted) throw new TadpoleError({ code: 'aborted', message: 'the command was ended by its signal', cause: error });
      const isLost = isTadpoleError(error) && error.code === 'sandbox' && current !== runner;
      if (!isLost || (await runner.exitCode()) !== 137) throw error;
      adopt(await options.startRunner());
      return { exitCode: 137, timedOut: false, stdout: nothing, stderr: nothing };
    }
  }

  /** Runs a trusted script as the given user, with nothing of the commands' environment. */
  async function runTrusted(request: Parameters<RunScript>[0], user: { uid: number; gid: number }) {
    const { shell, script, stdin, signal } = request;
    const result = await launch({
      arguments: [`/bin/${shell}`, '-c', script, shell, ...request.arguments],
      ...{ env: { PATH: env.PATH ?? '', LC_ALL: 'C', HOME: '/nonexistent' }, user, stdin, signal },
      timeoutMs: limits.timeoutMs,
      keep: { headBytes: request.headBytes, tailBytes: 1024 },
    });
    const truncated = result.stdout.droppedBytes > 0 || result.stdout.tail.length > 0;
    const stderr = result.timedOut ? `no end within ${limits.timeoutMs} ms` : outputText(result.stderr);
    return { exitCode: result.exitCode ?? 124, stdout: result.stdout.head, truncated, stderr };
  }

  async function capture(request: Parameters<OwnedSandbox['diff']>[0]): Promise<string> {
    const inFolder = (script: string) => ({ shell: 'sh', script, arguments: [paths.temporary], headBytes: 0 }) as const;
    const { exitCode, stderr } = await runTrusted(inFolder('mkdir -m 0777 "$1"'), rootUser);
    if (exitCode !== 0) throw new TadpoleError({ code: 'sandbox', message: `expected a folder to capture the change in, got: ${stderr}` });
    try {
      return await capturePatch({ runScript: (request) => runTrusted(request, agentUser), paths, ...request });
    } finally {
      // What could not be removed makes the next capture fail, which asks for a folder that is not there yet.
      await runTrusted(inFolder('cd "$1" && rm -rf -- * .t*'), agentUser)
        .then(() => runTrusted(inFolder('rmdir "$1"'), rootUser))
        .catch(() => {});
    }
  }

  async function files(): Promise<ReturnType<typeof runnerFiles>> {
    assertOpen();
    // A dead runner comes back between commands, never beside one.
    const { connection } = current ?? (await inTurn(async () => current ?? adopt(await options.startRunner())));
    return runnerFiles({ connection, workspacePath: paths.workspace, fileBytes: limits.fileBytes });
  }

  return {
    id,
    readFile: async (path, call) => (await files()).readFile(path, call),
    writeFile: async (path, content, call) => (await files()).writeFile(path, content, call),
    glob: async (pattern, call) => (await files()).glob(pattern, call),
    async run(request): Promise<RunResult> {
      const started = options.now();
      const { unfit, ...command } = readRunRequest({ request, workspacePath: paths.workspace, limits, prefix });
      if (unfit !== undefined) return unfitResult(unfit);
      const { stdin, signal } = request;
      const result = await inTurn(() => launch({ ...command, env: { ...env, ...request.env }, user: agentUser, stdin, signal }));
      return runResult({ ended: result, durationMs: options.now() - started });
    },
    async diff(request) {
      if (!options.hasGit) {
        const message = 'expected git in the image to capture the change; take an image that has it';
        throw new TadpoleError({ code: 'missing-dependency', message });
      }
      return inTurn(() => capture(request));
    },
    dispose() {
      disposal ??= (async () => {
        ended.abort();
        await options.remove();
        current?.connection.close();
        await turn;
      })();
      return disposal;
    },
  };
}

/** Limits of each process; the number of processes and their memory are the container's. */
function limitLines(limits: SandboxLimits): string {
  const lines = ['umask 022', `ulimit -f ${Math.ceil(limits.fileBytes / 512)}`, `ulimit -t ${limits.cpuSeconds}`];
  // The kernel takes a command before the runner when memory runs out.
  return [...lines.map((line) => `${line} || exit 125`), 'echo 1000 2>/dev/null >/proc/self/oom_score_adj'].join('\n');
}
