import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type OwnedSandbox, type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import { connectRunner } from '../runner/connect-runner.js';
import { runnerArguments } from '../runner/runner-arguments.js';
import { capturePatch } from '../sandbox/capture-patch.js';
import { outputText } from '../sandbox/captured-output.js';
import { readRunRequest } from '../sandbox/run-request.js';
import { runResult, unfitResult } from '../sandbox/run-result.js';
import type { RunScript } from '../sandbox/run-script.js';
import { type ProcessResult, runProcessGroup } from './run-process-group.js';

/** A sandbox that is a folder of this machine and processes of this user. */
export function unsafeProcessSandbox(options: {
  id: string;
  /** Folder of the sandbox, for what belongs to it beside the workspace. */
  directory: string;
  /** The workspace on this machine. */
  workspace: string;
  /** Where callers believe it to be. */
  workspacePath: string;
  /** The pristine repository. */
  repository: string;
  /** Paths in the workspace at which links to something else stand. */
  mounted: readonly string[];
  limits: SandboxLimits;
  env: Readonly<Record<string, string>>;
  now: () => number;
  release: () => Promise<void>;
}): OwnedSandbox {
  const { id, workspace, workspacePath, limits, env } = options;
  const ended = new AbortController();
  const running = new Set<Promise<unknown>>();
  let disposal: Promise<void> | undefined;
  const prefix = `umask 022\nulimit -c 0\nulimit -f ${Math.ceil(limits.fileBytes / 512)}\nulimit -t ${limits.cpuSeconds}`;

  const [program = '', ...words] = runnerArguments({ node: process.execPath });
  const child = spawn(program, words, { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const runner = connectRunner({ input: child.stdin, output: child.stdout, workspacePath: workspace, fileBytes: limits.fileBytes });
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));

  function assertOpen(): void {
    if (disposal !== undefined) throw new TadpoleError({ code: 'sandbox', message: `expected an open sandbox, but ${id} was disposed` });
  }

  /** A path that callers believe to be in the workspace, where it is on this machine. */
  function onMachine(path: string): string {
    assertOpen();
    return path === workspacePath || path.startsWith(`${workspacePath}/`) ? workspace + path.slice(workspacePath.length) : path;
  }

  async function launch(command: Omit<Parameters<typeof runProcessGroup>[0], 'env'> & { env: Readonly<Record<string, string>> }) {
    assertOpen();
    const signal = command.signal === undefined ? ended.signal : AbortSignal.any([ended.signal, command.signal]);
    const run: Promise<ProcessResult> = runProcessGroup({ ...command, signal });
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
    }
  }

  const runScript: RunScript = async ({ shell, script, stdin, signal, headBytes, ...request }) => {
    const result = await launch({
      arguments: [`/bin/${shell}`, '-c', script, shell, ...request.arguments],
      ...{ env: { PATH: env.PATH ?? '', LC_ALL: 'C', HOME: '/nonexistent' }, stdin, signal },
      timeoutMs: limits.timeoutMs,
      keep: { headBytes, tailBytes: 1024 },
    });
    const truncated = result.stdout.droppedBytes > 0 || result.stdout.tail.length > 0;
    return { exitCode: result.exitCode ?? 124, stdout: result.stdout.head, truncated, stderr: outputText(result.stderr) };
  };

  return {
    id,
    readFile: async (path, call) => runner.readFile(onMachine(path), call),
    writeFile: async (path, content, call) => runner.writeFile(onMachine(path), content, call),
    glob: async (pattern, { path = '.', ...call } = {}) => runner.glob(pattern, { path: onMachine(path), ...call }),
    async run(request) {
      const started = options.now();
      const cwd = request.cwd === undefined ? undefined : onMachine(request.cwd);
      const { unfit, ...command } = readRunRequest({ request: { ...request, cwd }, workspacePath: workspace, limits, prefix });
      if (unfit !== undefined) return unfitResult(unfit);
      const { stdin, signal } = request;
      const ended = await launch({ ...command, env: { ...env, ...request.env }, stdin, signal });
      return runResult({ ended, durationMs: options.now() - started });
    },
    async diff(request) {
      assertOpen();
      const temporary = mkdtempSync(join(options.directory, 'capture-'));
      try {
        return await capturePatch({
          runScript,
          paths: { workspace, repository: options.repository, temporary, mounted: options.mounted },
          ...request,
        });
      } finally {
        rmSync(temporary, { recursive: true, force: true });
      }
    },
    dispose() {
      disposal ??= (async () => {
        ended.abort();
        runner.close();
        child.kill('SIGKILL');
        await Promise.allSettled([...running, exited]);
        await options.release();
      })();
      return disposal;
    },
  };
}
