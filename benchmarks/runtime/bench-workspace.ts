import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxLimits } from '@tadpole/contracts';

/** Limits of the sandboxes that are measured. */
export const benchLimits: SandboxLimits = {
  processes: 64,
  memoryBytes: 2 ** 29,
  cpuSeconds: 60,
  timeoutMs: 60_000,
  fileBytes: 2 ** 24,
  writtenBytes: 2 ** 27,
  writtenFiles: 20_000,
  outputBytes: 2 ** 18,
};

/** A workspace with that many files of 400 lines, in folders of 100. */
export function benchWorkspace(options: { directory: string; files: number }): string {
  const lines = Array.from({ length: 400 }, (_, line) => `export const value${line} = ${line};`).join('\n');
  for (let index = 0; index < options.files; index += 1) {
    const folder = join(options.directory, `folder-${Math.floor(index / 100)}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${index}.js`), `${lines}\n`);
  }
  return options.directory;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Milliseconds that work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
