import { isTadpoleError, type Sandbox } from '@tadpole/contracts';
import type { Runner } from './connect-runner.js';

/** A runner with its process. */
export interface RunnerProcess {
  readonly runner: Runner;
  /** Ends the process and resolves once it is gone. */
  end(): Promise<void>;
}

/** File access that starts its runner with the first call and anew when one has died. */
export interface KeptRunner extends Pick<Sandbox, 'readFile' | 'writeFile' | 'glob'> {
  /** Ends the runner; no further one is started. */
  close(): Promise<void>;
}

/**
 * Keeps one runner for all calls. A runner that died under a call, for instance for want of memory, is replaced once for
 * that call: reading, writing a whole file and matching names may be done again.
 */
export function keepRunner(start: () => Promise<RunnerProcess>): KeptRunner {
  let current: Promise<RunnerProcess> | undefined;
  const living = new Set<Promise<RunnerProcess>>();
  let closed = false;

  function obtain(): Promise<RunnerProcess> {
    if (current !== undefined) return current;
    const process = start();
    current = process;
    living.add(process);
    const forget = () => {
      if (current === process) current = undefined;
      living.delete(process);
    };
    process.then(async ({ runner, end }) => {
      await runner.ended;
      if (current === process) current = undefined;
      await end().finally(forget);
    }, forget);
    return process;
  }

  async function withRunner<Result>(use: (runner: Runner) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const { runner, end } = await obtain();
      try {
        return await use(runner);
      } catch (error) {
        if (closed || attempt === 2 || !isTadpoleError(error) || error.code !== 'sandbox') throw error;
        runner.close();
        await end();
      }
    }
  }

  return {
    readFile: (path, options) => withRunner((runner) => runner.readFile(path, options)),
    writeFile: (path, content, options) => withRunner((runner) => runner.writeFile(path, content, options)),
    glob: (pattern, options) => withRunner((runner) => runner.glob(pattern, options)),
    async close() {
      closed = true;
      for (const process of living) {
        const started = await process.catch(() => undefined);
        started?.runner.close();
        await started?.end();
      }
    },
  };
}
