import type { RunResult } from '@tadpole/contracts';
import { type CapturedOutput, outputText } from './captured-output.js';

/** The result of `Sandbox.run` from how a process ended and what was kept of its streams. */
export function runResult(options: {
  ended: {
    readonly exitCode: number | null;
    readonly timedOut: boolean;
    readonly stdout: CapturedOutput;
    readonly stderr: CapturedOutput;
  };
  durationMs: number;
}): RunResult {
  const { exitCode, timedOut, stdout, stderr } = options.ended;
  return {
    ...{ exitCode, timedOut, stdout: outputText(stdout), stderr: outputText(stderr) },
    droppedBytes: stdout.droppedBytes + stderr.droppedBytes,
    durationMs: Math.max(0, options.durationMs),
  };
}

/** The result of a call whose command no shell can be given. */
export function unfitResult(stderr: string): RunResult {
  return { exitCode: 126, timedOut: false, stdout: '', stderr, droppedBytes: 0, durationMs: 0 };
}
