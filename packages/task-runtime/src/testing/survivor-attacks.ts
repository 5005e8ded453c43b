import assert from 'node:assert/strict';
import { withSandbox } from './conformance-case.js';
import { type Attack, hostProcesses, markedSeconds } from './containment-case.js';

/** Attacks that leave a process behind. */
export const survivorAttacks: readonly Attack[] = [
  {
    contains: 'survivors',
    name: 'ends a command at its time with everything that it started',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const seconds = markedSeconds();
        const result = await sandbox.run({
          command: `setsid sleep ${seconds} & (sleep ${seconds} &); echo begun; exec sleep ${seconds}`,
          timeoutMs: 2500,
        });
        assert.deepEqual([result.timedOut, result.exitCode, result.stdout], [true, null, 'begun\n']);
        assert.deepEqual(hostProcesses(seconds), []);
      }),
  },
  {
    contains: 'survivors',
    name: 'does not wait for a background process that holds the output open, and ends it',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const seconds = markedSeconds();
        const result = await sandbox.run({ command: `sleep ${seconds} & setsid nohup sleep ${seconds} >/dev/null 2>&1 & echo hi` });
        assert.deepEqual([result.timedOut, result.exitCode, result.stdout], [false, 0, 'hi\n']);
        assert.deepEqual(hostProcesses(seconds), []);
      }),
  },
  {
    contains: 'survivors',
    name: 'ends a command when the signal aborts',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const seconds = markedSeconds();
        const controller = new AbortController();
        const run = sandbox.run({ command: `sleep ${seconds}`, signal: controller.signal });
        setTimeout(() => controller.abort(), 200);
        await assert.rejects(run, (error: { code?: string }) => error.code === 'aborted');
        assert.deepEqual(hostProcesses(seconds), []);
      }),
  },
  {
    contains: 'survivors',
    name: 'leaves nothing of a command that is ended while it begins',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const seconds = markedSeconds();
        for (let delayMs = 0; delayMs < 24; delayMs += 1) {
          const controller = new AbortController();
          const run = sandbox.run({ command: `sleep ${seconds}`, signal: controller.signal });
          setTimeout(() => controller.abort(), delayMs);
          await assert.rejects(run, (error: { code?: string }) => error.code === 'aborted');
          await sandbox.run({ command: `exec sleep ${seconds}`, timeoutMs: 1 + delayMs });
          assert.deepEqual(hostProcesses(seconds), []);
        }
      }),
  },
];
