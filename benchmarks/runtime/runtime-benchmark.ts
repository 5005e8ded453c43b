import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { measureFlood } from './measure-flood.js';
import { measureOpening } from './measure-opening.js';
import { measureReading } from './measure-reading.js';
import { measureRollouts } from './measure-rollouts.js';

/**
 * What the sandbox costs: reading through the persistent runner against a process for each call, opening a sandbox
 * against a bare `bwrap true`, rollouts a minute, and memory of this process under a flood of output. Times are medians
 * of interleaved rounds on one machine; ratios are what may be compared between machines.
 */
export async function runtimeBenchmark(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-bench-'));
  const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
  try {
    const { provider: name } = await provider.describe();
    console.log(`sandbox: ${name}`);
    const reading = await measureReading({ provider, folder, rounds: 25 });
    console.log(`Read, persistent runner      ${milliseconds(reading.persistentMs)}`);
    console.log(`Read, a process for the call ${milliseconds(reading.perCallMs)}   ratio ${reading.ratio.toFixed(1)}`);
    const opening = await measureOpening({ provider, folder, rounds: 25 });
    console.log(`bwrap true                   ${milliseconds(opening.bareMs)}`);
    console.log(`opening, 3,000 files         ${milliseconds(opening.openMs)}   ratio ${opening.ratio.toFixed(2)}`);
    const flood = await measureFlood({ provider, folder });
    console.log(`flood of 2 GiB               ${flood.growthMiB.toFixed(1)} MiB more in this process`);
    const rollouts = await measureRollouts({ provider, folder, rollouts: 100, concurrency: 2 });
    console.log(`rollouts of 20 tool calls    ${rollouts.perMinute.toFixed(0)} a minute, graded, 2 at a time`);
    console.log(
      JSON.stringify({
        readRatio: round(reading.ratio),
        rolloutsPerMinute: round(rollouts.perMinute),
        openRatio: round(opening.ratio),
        floodMiB: round(flood.growthMiB),
      }),
    );
  } finally {
    await provider.disposeAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`.padStart(10);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
