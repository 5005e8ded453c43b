import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts the engine's process. In the built package the entry is `engine-worker.js` beside the module that this code is
 * bundled into; from source (tsx, vitest) it is a plain module that registers tsx and imports the TypeScript entry.
 *
 * A process and not a thread: a process that starts others is copied by the kernel, page table by page table, which took
 * 30 ms a start beside the engine's gigabyte and 1 ms without; and a failure of the native library ends that process alone.
 */
export function startWorker(): ChildProcess {
  // Typed arrays travel as they are; what the process prints is the user's to see.
  const options: ForkOptions = { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] };
  if (!import.meta.url.endsWith('.ts')) return fork(entry('./engine-worker.js'), { ...options, execArgv: [] });
  return fork(entry('./engine-worker-from-source.mjs'), { ...options, execArgv: ['--conditions=@tadpole/source'] });
}

function entry(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
