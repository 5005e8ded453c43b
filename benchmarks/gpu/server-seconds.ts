import { readFileSync } from 'node:fs';

/** What SkyRL's engine writes to its log behind every operation. */
const timing = /\(timing\) (process_\w+\([^)]*\)) took ([\d.]+)s/g;

/** Seconds that the engine has worked so far, by its own log. @throws Error when the log holds no operation at all. */
export function serverSeconds({ log }: { log: string }): number {
  const text = readFileSync(log, 'utf8');
  const operations = [...text.matchAll(timing)];
  if (operations.length === 0) throw new Error(`Expected timings of operations in the log of SkyRL, got none:\n${text.slice(-1000)}`);
  return operations.reduce((sum, [, , seconds]) => sum + Number(seconds), 0);
}
