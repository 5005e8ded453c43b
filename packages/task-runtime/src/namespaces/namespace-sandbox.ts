import type { OwnedSandbox, RunOptions, RunResult } from '@tadpole/contracts';
import { keepRunner } from '../runner/keep-runner.js';
import { capturePatch, type SandboxPaths } from '../sandbox/capture-patch.js';
import { readRunRequest } from '../sandbox/run-request.js';
import { runResult, unfitResult } from '../sandbox/run-result.js';
import { namespaceCalls } from './namespace-calls.js';
import { startRunner } from './start-runner.js';

/**
 * A sandbox over a mount namespace that a holder keeps: every command is a process tree of its own in fresh namespaces
 * over the same files, so nothing but files outlives a call.
 */
export function namespaceSandbox(
  options: Parameters<typeof namespaceCalls>[0] & {
    paths: SandboxPaths;
    /** Command line of the process that serves files. */
    runnerCommand: readonly string[];
    now: () => number;
    release: () => Promise<void>;
  },
): OwnedSandbox {
  const { limits, paths } = options;
  const calls = namespaceCalls(options);
  let disposal: Promise<void> | undefined;
  const files = keepRunner(async () =>
    startRunner({
      ...{ launcher: options.launchers.command, enter: options.enter, command: options.runnerCommand, env: options.env },
      ...{ workspacePath: paths.workspace, fileBytes: limits.fileBytes, answerTimeoutMs: limits.timeoutMs },
    }),
  );

  async function whileOpen<Result>(use: () => Promise<Result>): Promise<Result> {
    calls.assertOpen();
    return use();
  }

  return {
    id: options.id,
    readFile: (path, request) => whileOpen(() => files.readFile(path, request)),
    writeFile: (path, content, request) => whileOpen(() => files.writeFile(path, content, request)),
    glob: (pattern, request) => whileOpen(() => files.glob(pattern, request)),
    async run(request: RunOptions): Promise<RunResult> {
      const started = options.now();
      const { unfit, ...command } = readRunRequest({ request, workspacePath: paths.workspace, limits, prefix: calls.limits });
      if (unfit !== undefined) return unfitResult(unfit);
      const { env, stdin, signal } = request;
      const { arguments: words, timeoutMs, keep } = command;
      const result = await calls.command({ command: words, env, stdin, timeoutMs, keep, signal });
      return runResult({ ended: result, durationMs: options.now() - started });
    },
    diff: (request) => capturePatch({ runScript: calls.runScript, paths, ...request }),
    dispose() {
      disposal ??= (async () => {
        await Promise.allSettled([calls.end(), files.close()]);
        await options.release();
      })();
      return disposal;
    },
  };
}
