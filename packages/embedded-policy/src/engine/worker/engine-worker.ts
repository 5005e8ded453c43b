import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createSession, loadRuntime } from '../load-runtime.js';
import { decodeGraph, prefillGraph } from '../model/sampling-graphs.js';
import { createSampler, type Sampler } from '../sampling/sampler.js';
import { createTrainer } from '../training/trainer.js';
import { readCheckpoint, writeCheckpoint } from '../checkpoint/checkpoint.js';
import type { WorkerMessage, WorkerReply, WorkerStart } from './protocol.js';

/** Entry of the engine's thread. Weights, optimizer state and sampler snapshots live here. */
async function serve(port: NonNullable<typeof parentPort>, start: WorkerStart): Promise<void> {
  const { config, weights, threads, maxBatch, tokenBudget } = start;
  const inbox: WorkerMessage[] = [];
  let wake = () => {};
  port.on('message', (message: WorkerMessage) => {
    inbox.push(message);
    wake();
  });
  const reply = (message: WorkerReply) => port.postMessage(message);

  const runtime = await loadRuntime();
  const trainer = createTrainer({ runtime, config, weights, threads, tokenBudget });
  const samplers = new Map<number, Sampler>();
  let versions = 0;
  let sessions: Parameters<typeof createSampler>[0]['sessions'] | undefined;
  let isOpen = true;

  async function handle(message: WorkerMessage): Promise<unknown> {
    switch (message.method) {
      case 'forward':
        return trainer.forward(message.argument.sequences, message.argument.masks);
      case 'forwardBackward':
        return trainer.forwardBackward(message.argument.sequences, message.argument.logprobGradients);
      case 'optimStep':
        return trainer.optimStep(message.argument);
      case 'saveState':
        return writeCheckpoint(message.argument.path, { config, weights, optimizer: trainer.optimizer });
      case 'saveWeights':
        return writeCheckpoint(message.argument.path, { config, weights }, message.argument);
      case 'loadState': {
        const state = await readCheckpoint(message.argument.path);
        if (JSON.stringify(state.config) !== JSON.stringify(config)) {
          throw new Error(`checkpoint ${message.argument.path}: expected a model of ${JSON.stringify(config)}, got ${JSON.stringify(state.config)}`);
        }
        if (state.optimizer === undefined) throw new Error(`checkpoint ${message.argument.path}: expected optimizer state, found weights only; give it to createEngine as weights`);
        weights.set(state.weights);
        trainer.optimizer.first.set(state.optimizer.first);
        trainer.optimizer.second.set(state.optimizer.second);
        trainer.optimizer.step = state.optimizer.step;
        trainer.gradient.fill(0);
        return undefined;
      }
      case 'readWeights':
        return weights.slice();
      case 'createSampler': {
        sessions ??= { prefill: await createSession(runtime, prefillGraph(config), 1), decode: await createSession(runtime, decodeGraph(config), 1) };
        versions += 1;
        samplers.set(versions, createSampler({ runtime, config, weights: weights.slice(), sessions, maxBatch }));
        return { version: versions };
      }
      case 'sample': {
        const sampler = samplers.get(message.argument.version);
        if (sampler === undefined) throw new Error(`sampler ${message.argument.version} was disposed of`);
        return sampler.submit(message.argument.request);
      }
      case 'disposeSampler':
        samplers.get(message.argument.version)?.abort(new Error(`sampler ${message.argument.version} was disposed of`));
        samplers.delete(message.argument.version);
        return undefined;
      case 'close':
        isOpen = false;
        return undefined;
    }
  }

  function answer({ id }: WorkerMessage, result: Promise<unknown>): Promise<void> {
    return result.then(
      (value) => reply({ id, value }),
      (error: unknown) => reply({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  }

  reply({ id: 0, value: undefined });
  while (isOpen) {
    for (let message = inbox.shift(); message !== undefined; message = inbox.shift()) {
      const answered = answer(message, handle(message));
      if (message.method !== 'sample') await answered;
    }
    const busy = [...samplers.values()].filter((sampler) => sampler.isBusy());
    for (const sampler of busy) await sampler.step().catch((error: Error) => sampler.abort(error));
    if (busy.length > 0) await setImmediate();
    else if (isOpen && inbox.length === 0) await new Promise<void>((resolve) => (wake = resolve));
  }
  port.close();
}

if (parentPort !== null) {
  const port = parentPort;
  serve(port, workerData as WorkerStart).catch((error: Error) => {
    port.postMessage({ id: 0, error: error.message } satisfies WorkerReply);
    port.close();
  });
}
