import type { Snapshot, TestExecutor } from '@tadpole/contracts';
import { expect, it } from 'vitest';
import { boundExecutions } from '../src/synth/bounded-executor.js';

it('lets no run take longer than five seconds and five times the longest of the untouched ones', async () => {
  const asked: number[] = [];
  const durations = [200, 900, 400, 60_000];
  const executor: TestExecutor = {
    async execute({ timeoutMs }) {
      asked.push(timeoutMs);
      return { status: 'completed', tests: [], output: '', durationMs: durations[asked.length - 1] ?? 0 };
    },
  };
  const bounded = boundExecutions({ executor });
  const run = (timeoutMs: number) => bounded.execute({ snapshot: {} as Snapshot, edits: [], timeoutMs });
  for (const timeoutMs of [60_000, 60_000, 60_000]) await run(timeoutMs);
  bounded.bound();
  await run(60_000);
  await run(1000);
  await run(60_000);
  expect(asked).toEqual([60_000, 60_000, 60_000, 9500, 1000, 9500]);
});
