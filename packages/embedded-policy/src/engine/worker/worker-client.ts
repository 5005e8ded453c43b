import { TadpoleError } from '@tadpole/contracts';
import type { WorkerArgument, WorkerCalls, WorkerMessage, WorkerMethod, WorkerReply, WorkerStart } from './protocol.js';
import { startWorker } from './start-worker.js';

/** Calls into the engine's process. */
export interface WorkerClient {
  /**
   * Sends one call and waits for its answer. Rejects with the call's own error, with `aborted` when the signal fires
   * first, and with `engine` when the process dies.
   */
  call<Method extends WorkerMethod>(
    method: Method,
    argument: WorkerArgument<Method>,
    signal?: AbortSignal,
  ): Promise<ReturnType<WorkerCalls[Method]>>;
  /** Ends the process after the call it is at; everything in flight is rejected. Idempotent. */
  close(): Promise<void>;
}

interface InFlight {
  resolve(value: unknown): void;
  reject(reason: Error): void;
}

/** Starts the process and waits until it is ready. Rejects with `missing-dependency` when ONNX Runtime does not load. */
export async function createWorkerClient(start: WorkerStart): Promise<WorkerClient> {
  const worker = startWorker();
  const inFlight = new Map<number, InFlight>();
  let ended: TadpoleError | undefined;
  let nextId = 1;

  const wait = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      inFlight.set(id, { resolve, reject });
    });
  // A process that is gone says so by its exit.
  const send = (message: WorkerMessage) => worker.send(message, () => {});
  const keepAlive = (isWaiting: boolean) => {
    for (const handle of [worker, worker.channel]) isWaiting ? handle?.ref() : handle?.unref();
  };
  const end = (message: string, cause?: unknown) => {
    ended ??= new TadpoleError({ code: 'engine', message, cause });
    for (const { reject } of inFlight.values()) reject(ended);
    inFlight.clear();
  };
  const settle = (id: number): InFlight | undefined => {
    const caller = inFlight.get(id);
    inFlight.delete(id);
    // Only a waiting caller keeps the process alive.
    if (inFlight.size === 0 && ended === undefined) keepAlive(false);
    return caller;
  };

  worker.on('message', (reply: WorkerReply) => {
    if ('failure' in reply) settle(reply.id)?.reject(new TadpoleError(reply.failure));
    else settle(reply.id)?.resolve(reply.value);
  });
  worker.on('error', (cause) => end(`the engine's process failed: ${cause.message}; create a new engine and load the last state`, cause));
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', (code, signal) => {
      end(`the engine's process ended with ${signal ?? `code ${code}`}; create a new engine and load the last state`);
      resolve();
    });
  });
  const ready = wait(0);
  send({ start });
  await ready;

  return {
    async call(method, argument, signal) {
      if (ended !== undefined) throw ended;
      if (signal?.aborted) throw aborted(method, signal);
      const id = nextId++;
      const answer = wait(id);
      const cancel = () => {
        settle(id)?.reject(aborted(method, signal));
        send({ cancel: id });
      };
      signal?.addEventListener('abort', cancel, { once: true });
      keepAlive(true);
      send({ id, method, argument });
      return answer.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<never>;
    },
    async close() {
      if (ended === undefined) {
        end('the engine was closed; create a new one');
        keepAlive(true);
        send({ id: nextId++, method: 'close', argument: undefined });
      }
      await exited;
    },
  };
}

function aborted(method: string, signal: AbortSignal | undefined): TadpoleError {
  return new TadpoleError({ code: 'aborted', message: `the engine's ${method} was aborted by its signal`, cause: signal?.reason });
}
