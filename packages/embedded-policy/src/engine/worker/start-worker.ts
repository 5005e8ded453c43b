import { Worker } from 'node:worker_threads';
import type { WorkerStart } from './protocol.js';

/**
 * Starts the engine's thread. In the built package the entry is `engine-worker.js` beside the module that this code is
 * bundled into; from source (tsx, vitest) it is a plain module that registers tsx and imports the TypeScript entry.
 */
export function startWorker(start: WorkerStart): Worker {
  const options = { workerData: start, transferList: [start.weights.buffer as ArrayBuffer] };
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./engine-worker.js', import.meta.url), options);
  return new Worker(new URL('./engine-worker-from-source.mjs', import.meta.url), {
    ...options,
    execArgv: ['--conditions=@tadpole/source'],
  });
}
