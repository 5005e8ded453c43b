import { startWorker } from './start-worker.js';
import type { WorkerCalls, WorkerMethod, WorkerReply, WorkerStart } from './protocol.js';

/** Calls into the engine's thread. */
export interface WorkerClient {
  /** Sends one call and waits for its answer. Rejects when the call fails or the thread dies. */
  call<Method extends WorkerMethod>(method: Method, argument: Parameters<WorkerCalls[Method]>[0]): Promise<ReturnType<WorkerCalls[Method]>>;
  /** Ends the thread; everything in flight is rejected with `reason`. */
  close(reason: Error): Promise<void>;
}

interface InFlight {
  resolve(value: never): void;
  reject(reason: Error): void;
}

/** Starts the thread and waits until it is ready. Rejects when ONNX Runtime does not load. */
export async function createWorkerClient(start: WorkerStart): Promise<WorkerClient> {
  const worker = startWorker(start);
  const inFlight = new Map<number, InFlight>();
  let ended: Error | undefined;
  let nextId = 1;

  const wait = (id: number) => new Promise<unknown>((resolve, reject) => inFlight.set(id, { resolve, reject }));
  const end = (reason: Error) => {
    ended ??= reason;
    for (const { reject } of inFlight.values()) reject(ended);
    inFlight.clear();
  };

  worker.on('message', (reply: WorkerReply) => {
    const caller = inFlight.get(reply.id);
    inFlight.delete(reply.id);
    if ('error' in reply) caller?.reject(new Error(`engine: ${reply.error}`));
    else caller?.resolve(reply.value as never);
    if (inFlight.size === 0 && ended === undefined) worker.unref();
  });
  worker.on('error', (cause) => end(new Error(`the engine's thread failed: ${cause.message}; create a new engine and load the last state`, { cause })));
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      end(new Error(`the engine's thread ended with code ${code}; create a new engine and load the last state`));
      resolve();
    });
  });
  await wait(0);

  return {
    async call(method, argument) {
      if (ended !== undefined) throw ended;
      const id = nextId++;
      const answer = wait(id);
      // Only a waiting caller keeps the process alive.
      worker.ref();
      worker.postMessage({ id, method, argument });
      return (await answer) as never;
    },
    async close(reason) {
      if (ended === undefined) {
        end(reason);
        worker.ref();
        worker.postMessage({ id: nextId++, method: 'close', argument: undefined });
      }
      await exited;
    },
  };
}
