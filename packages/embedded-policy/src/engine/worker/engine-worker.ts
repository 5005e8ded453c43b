import { setImmediate } from 'node:timers/promises';
import { isTadpoleError } from '@tadpole/contracts';
import { loadRuntime } from '../load-runtime.js';
import { createEngineState, type EngineState } from './call-handlers.js';
import type { WorkerCall, WorkerFailure, WorkerMessage, WorkerReply, WorkerStart } from './protocol.js';

/**
 * Serves calls in order, until one says `close`. Samples are answered when they are done, and their decode steps run
 * between the other calls; the loop yields to the event loop after each step, so that new requests join the next one.
 */
async function serve(start: WorkerStart): Promise<void> {
  const inbox: WorkerCall[] = [];
  const cancellations = new Map<number, AbortController>();
  let wake = () => {};
  let isOpen = true;

  process.on('message', (message: WorkerMessage) => {
    if ('start' in message) return;
    if ('cancel' in message) cancellations.get(message.cancel)?.abort();
    else {
      cancellations.set(message.id, new AbortController());
      inbox.push(message);
    }
    wake();
  });

  const runtime = await loadRuntime();
  const state = createEngineState(runtime, start, () => {
    isOpen = false;
  });
  reply({ id: 0, value: undefined });

  async function answer(call: WorkerCall): Promise<void> {
    const { id } = call;
    try {
      reply({ id, value: await invoke(state, call, cancellations.get(id)!.signal) });
    } catch (error) {
      reply({ id, failure: toFailure(error) });
    } finally {
      cancellations.delete(id);
    }
  }

  while (isOpen) {
    for (let call = inbox.shift(); call !== undefined; call = inbox.shift()) {
      const answered = answer(call);
      if (call.method !== 'sample') await answered;
    }
    const busy = state.busySamplers();
    for (const sampler of busy) await sampler.step().catch((error: Error) => sampler.abort(error));
    if (busy.length > 0) await setImmediate();
    else if (isOpen && inbox.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  process.disconnect();
}

function reply(message: WorkerReply): void {
  // Whoever asked may be gone by now.
  if (process.connected) process.send?.(message);
}

async function invoke(state: EngineState, { method, argument }: WorkerCall, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted();
  const handler = state.handlers[method] as (argument: unknown, signal: AbortSignal) => unknown;
  return handler(argument, signal);
}

function toFailure(error: unknown): WorkerFailure {
  if (isTadpoleError(error)) return { code: error.code, message: error.message };
  return { code: 'engine', message: error instanceof Error ? error.message : String(error) };
}

// The module is the entry of a process: it serves the process that forked it, and does nothing elsewhere.
if (process.send !== undefined) {
  // The terminal's Ctrl-C reaches every process of a group; when this one ends is for its parent to say.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit());
  process.once('message', (message: { readonly start: WorkerStart }) => {
    serve(message.start).catch((error: unknown) => {
      reply({ id: 0, failure: toFailure(error) });
      process.disconnect();
    });
  });
}
