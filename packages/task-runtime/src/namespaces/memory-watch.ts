import { readFileSync } from 'node:fs';
import { childProcesses } from './process-tree.js';

/**
 * Watches the memory of a process and of all that come from it, where no control group bounds their sum. Looks every
 * `intervalMs`, so what is allocated in between is bounded by the limit of each process alone.
 *
 * @returns a function that ends the watch.
 */
export function watchMemory(options: {
  pid: number;
  limitBytes: number;
  onExceed: () => void;
  /** @default 50 */
  intervalMs?: number;
}): () => void {
  const timer = setInterval(() => {
    if (treeMemory(options.pid) <= options.limitBytes) return;
    clearInterval(timer);
    options.onExceed();
  }, options.intervalMs ?? 50);
  return () => clearInterval(timer);
}

/** Anonymous and shared memory in bytes that a process and its descendants hold. */
function treeMemory(pid: number): number {
  return childProcesses(pid).reduce((sum, child) => sum + treeMemory(child), ownMemory(pid));
}

function ownMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    return (kibibytes('RssAnon') + kibibytes('RssShmem')) * 1024;
  } catch {
    return 0;
  }
}
