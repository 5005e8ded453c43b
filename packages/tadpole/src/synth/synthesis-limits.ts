import type { SandboxLimits } from '@tadpole/contracts';

/** Limits of the sandboxes in which a repository's suite is run, and in which its tasks are worked on and graded. */
export const synthesisLimits: SandboxLimits = {
  ...{ processes: 128, memoryBytes: 2 ** 31, cpuSeconds: 120, timeoutMs: 120_000, fileBytes: 2 ** 26 },
  ...{ writtenBytes: 2 ** 28, writtenFiles: 20_000, outputBytes: 2 ** 16 },
};
