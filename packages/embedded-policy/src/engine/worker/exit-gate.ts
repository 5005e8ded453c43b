/** Slots of the shared memory. */
const WORKING = 0;
const CLOSED = 1;

/** Longest wait for the work to end when the process exits, in milliseconds. */
const PATIENCE_MS = 20_000;

/** Memory that a gate's two sides share. */
export function createGateMemory(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/**
 * The engine thread's side: does the work unless the process is exiting, in which case it never resolves. ONNX Runtime
 * aborts the process when its thread is ended inside it, so the process must not exit then.
 */
export async function passGate<Result>(memory: Int32Array, work: () => Promise<Result>): Promise<Result> {
  Atomics.store(memory, WORKING, 1);
  try {
    if (Atomics.load(memory, CLOSED) === 0) return await work();
  } finally {
    Atomics.store(memory, WORKING, 0);
    Atomics.notify(memory, WORKING);
  }
  return new Promise<never>(() => {});
}

/** The main thread's side, called when the process exits: lets no further work start and waits for what is on. */
export function closeGate(memory: Int32Array): void {
  Atomics.store(memory, CLOSED, 1);
  Atomics.wait(memory, WORKING, 1, PATIENCE_MS);
}
