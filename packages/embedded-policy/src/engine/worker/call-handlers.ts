import { createHash } from 'node:crypto';
import { TadpoleError } from '@tadpole/contracts';
import { assertSameModel, readCheckpoint, writeCheckpoint } from '../checkpoint/checkpoint.js';
import type { OnnxRuntime } from '../load-runtime.js';
import { prefillGraph } from '../model/prefill-graph.js';
import { createDecodeSessions } from '../sampling/decode-sessions.js';
import { type BatchSampler, createBatchSampler, type SamplingSessions } from '../sampling/sampler.js';
import { createTrainer } from '../training/trainer.js';
import type { WorkerArgument, WorkerCalls, WorkerMethod, WorkerStart } from './protocol.js';

/** One function a call. */
export type CallHandlers = {
  readonly [Method in WorkerMethod]: (
    argument: WorkerArgument<Method>,
    signal: AbortSignal,
  ) => ReturnType<WorkerCalls[Method]> | Promise<ReturnType<WorkerCalls[Method]>>;
};

/** What lives in the engine's process: trainer weights, optimizer state and sampler snapshots, behind the calls. */
export interface EngineState {
  readonly handlers: CallHandlers;
  /** Samplers with work to do. */
  busySamplers(): BatchSampler[];
}

/** Creates the state that a worker serves. `close` ends the worker's loop. */
export function createEngineState(runtime: OnnxRuntime, start: WorkerStart, close: () => void): EngineState {
  const { config, weights, maxBatch } = start;
  const trainer = createTrainer({ runtime, ...start });
  const samplers = new Map<number, BatchSampler>();
  let versions = 0;
  let sessions: Promise<SamplingSessions> | undefined;

  const disposed = (version: number) =>
    new TadpoleError({ code: 'engine', message: `sampler ${version} was disposed of; sample from a newer one` });

  const handlers: CallHandlers = {
    forward: ({ sequences, masks }) => trainer.forward(sequences, masks),
    forwardBackward: ({ sequences, logprobGradients }) => trainer.forwardBackward(sequences, logprobGradients),
    optimStep: (settings) => trainer.optimStep(settings),
    saveState: ({ path }) => writeCheckpoint(path, { config, weights, optimizer: trainer.optimizer }),
    saveWeights: ({ path, ...options }) => writeCheckpoint(path, { config, weights }, options),
    async loadState({ path, optimizer }) {
      const state = await readCheckpoint(path);
      assertSameModel(path, state.config, config);
      if (optimizer && state.optimizer === undefined) {
        const message = `checkpoint ${path}: expected optimizer state, found weights only; load it without the optimizer`;
        throw new TadpoleError({ code: 'invalid-input', message });
      }
      trainer.restore(state.weights, optimizer ? state.optimizer : undefined);
    },
    readWeights: () => weights.slice(),
    async createSampler() {
      sessions ??= createSamplingSessions(runtime, start);
      const snapshot = weights.slice();
      const sampler = createBatchSampler({ runtime, config, weights: snapshot, sessions: await sessions, maxBatch });
      versions += 1;
      samplers.set(versions, sampler);
      const bytes = new Uint8Array(snapshot.buffer);
      return { version: versions, weightsHash: createHash('sha256').update(bytes).digest('hex').slice(0, 16) };
    },
    sample({ version, request }, signal) {
      const sampler = samplers.get(version);
      if (sampler === undefined) throw disposed(version);
      return sampler.submit(request, signal);
    },
    disposeSampler({ version }) {
      samplers.get(version)?.abort(disposed(version));
      samplers.delete(version);
    },
    close,
  };
  return { handlers, busySamplers: () => [...samplers.values()].filter((sampler) => sampler.isBusy()) };
}

async function createSamplingSessions(runtime: OnnxRuntime, { config }: WorkerStart): Promise<SamplingSessions> {
  return {
    prefill: await runtime.createSession(prefillGraph(config), { threads: 1 }),
    decode: createDecodeSessions(runtime, config),
  };
}
