import { randomBytes } from 'node:crypto';
import { type Sampler, TadpoleError, type TrainingClient } from '@tadpole/contracts';
import { loadWeightsResultSchema, savedWeightsResultSchema } from '@tadpole/contracts/tinker';
import { chooseModel } from './choose-model.js';
import { createGradientBook } from './gradient-book.js';
import { asEngineError } from './tinker-failure.js';
import { createTinkerModel, type TinkerModel, type WaitSettings } from './tinker-model.js';
import { optimizerBody } from './tinker-optimizer.js';
import { type TinkerProfile, type TinkerProfileName, tinkerProfileOf } from './tinker-profile.js';
import { createTinkerSampler } from './tinker-sampler.js';
import { openTinkerSession } from './tinker-session.js';
import { readTinkerState, writeTinkerState } from './tinker-state.js';
import { createTransport, type TransportOptions } from './tinker-transport.js';

/** See {@link createTinkerClient}. */
export interface TinkerClientOptions extends Omit<TransportOptions, 'random'> {
  /** What the server is, or how it behaves. */
  readonly server: TinkerProfileName | TinkerProfile;
  /** As the server names it. @default the only one that it has */
  readonly baseModel?: string;
  /** LoRA rank. @default 32 */
  readonly rank?: number;
  /** Of the adapter's first weights. @default the server's */
  readonly seed?: number;
  /** Longest sequence in tokens. @default what the server says */
  readonly contextTokens?: number;
  /** A request without a result after so long is given up. @default 900000 */
  readonly stuckMs?: number;
  /** Told what the server says of its queue. */
  readonly onQueueState?: (state: string) => void;
  /** Told that a heartbeat failed; the next one is tried all the same. */
  readonly onHeartbeatFailure?: (error: unknown) => void;
  /** Calls a heartbeat again and again; returns what ends it. @default every 10 s, without keeping the process alive */
  readonly every?: (beat: () => Promise<void>) => () => void;
  /** Uniform in [0, 1); spreads waits. @default Math.random */
  readonly random?: () => number;
  /** A name for a checkpoint, each given once; 1 to 255 letters, digits, _ and -. @default random */
  readonly newName?: () => string;
  /** Milliseconds. @default the machine's clock */
  readonly now?: () => number;
  readonly signal?: AbortSignal;
}

/** A model on a Tinker server. */
export interface TinkerConnection {
  readonly client: TrainingClient;
  readonly baseModel: string;
  /** Samples the untrained base. */
  readonly base: Sampler;
  /** Unloads the model and ends the heartbeats; idempotent. */
  close(): Promise<void>;
}

/**
 * Connects to a Tinker-protocol server, makes a model there, and presents it as the {@link TrainingClient} of the update loop
 * (tinker-protocol.md sections 1 and 2.3). Losses that are computed here reach the server exactly: as weights of its cross entropy
 * where it adds losses up, and as advantages of its importance sampling at ratio 1 where it takes means.
 *
 * A state's folder holds where the server keeps it, not the weights. What a server does not honour is refused with `unsupported`.
 *
 * @throws TadpoleError `engine` with a {@link TinkerFailure} as its cause, `invalid-config`, `aborted`.
 */
export async function createTinkerClient(options: TinkerClientOptions): Promise<TinkerConnection> {
  const { random = Math.random, now = Date.now, stuckMs = 900_000, onQueueState, onHeartbeatFailure, signal, rank = 32, seed } = options;
  const { newName = () => `t-${randomBytes(8).toString('hex')}` } = options;
  const profile = tinkerProfileOf(options.server);
  const transport = createTransport({ ...options, random });
  const wait: WaitSettings = { stuckMs, now, onQueueState };
  return asEngineError(async () => {
    const { baseModel, contextTokens: told } = await chooseModel({ ...options, transport });
    const contextTokens = options.contextTokens ?? told;
    if (contextTokens === undefined) {
      const message = `createTinkerClient: expected contextTokens, since this server does not tell the context of ${baseModel}.`;
      throw new TadpoleError({ code: 'invalid-config', message });
    }
    const session = await openTinkerSession({ transport, onHeartbeatFailure, every: options.every, signal });
    let models = 0;
    const makeModel = () =>
      createTinkerModel({ ...{ transport, wait, baseModel, rank, seed, signal }, sessionId: session.id, modelSeqId: models++ });
    let model: TinkerModel = await makeModel().catch((error: unknown) => {
      session.close();
      throw error;
    });
    let book = createGradientBook({ model, profile });
    /** Counts what changed the weights, by which a sampler is known to be old. */
    let version = 0;
    const samplerOptions = { transport, wait, profile, contextTokens };

    const client: TrainingClient = {
      forward: ({ data, signal: own }) => asEngineError(() => book.forward({ data, signal: own })),
      forwardBackward: (call) => asEngineError(() => book.forwardBackward(call)),
      ...(profile.lossReduction === 'sum' ? { forwardBackwardLoss: (call) => asEngineError(() => book.forwardBackwardLoss(call)) } : {}),
      optimStep: (settings) =>
        asEngineError(() => {
          const body = optimizerBody({ settings, profile });
          version += 1;
          return book.optimStep({ body, signal: settings.signal });
        }),
      saveState: (directory) =>
        asEngineError(async () => {
          const name = newName();
          const { path } = await model.request({
            path: '/save_weights',
            body: (seq_id) => ({ json: { model_id: model.id, path: name, seq_id, type: 'save_weights' } }),
            reader: { schema: savedWeightsResultSchema },
          });
          await writeTinkerState({ directory, state: { version: 1, path, baseModel } });
        }),
      loadState: (directory, { optimizer = true } = {}) =>
        asEngineError(async () => {
          const { path } = await readTinkerState({ directory, baseModel });
          requireLoad({ profile, optimizer });
          if (profile.loadFirstOnly) {
            const old = model;
            model = await makeModel();
            book = createGradientBook({ model, profile });
            await old.unload();
          } else book.clear();
          version += 1;
          await loadInto({ model, path, optimizer, profile });
        }),
      createSampler: () =>
        asEngineError(async () => {
          const name = newName();
          const { path } = await model.request({
            path: '/save_weights_for_sampler',
            body: (seq_id) => ({ json: { model_id: model.id, path: name, seq_id, type: 'save_weights_for_sampler' } }),
            reader: { schema: savedWeightsResultSchema },
          });
          const own = version;
          const whyStale = () =>
            profile.samplerIsSnapshot || version === own
              ? undefined
              : `Sampler ${path} is older than the weights in training, and sampling it would overwrite those on a server like ${profile.name}; use the newest sampler.`;
          return createTinkerSampler({ ...samplerOptions, source: { modelPath: path }, whyStale });
        }),
      capabilities: async () => ({
        ...{ engine: profile.name, contextTokens, customLoss: true, entropy: false, deterministic: false },
        losses: profile.lossReduction === 'sum' ? profile.losses : [],
        ...{ optimizerSettings: profile.optimizerSettings, samplerIsSnapshot: profile.samplerIsSnapshot },
      }),
    };
    let closing: Promise<void> | undefined;
    return {
      ...{ client, baseModel, base: createTinkerSampler({ ...samplerOptions, source: { baseModel } }) },
      close() {
        session.close();
        closing ??= model.unload().catch(() => undefined);
        return closing;
      },
    };
  });
}

async function loadInto(options: { model: TinkerModel; path: string; optimizer: boolean; profile: TinkerProfile }): Promise<void> {
  const { model, path, optimizer, profile } = options;
  const choice = profile.loadFirstOnly ? { optimizer } : {};
  await model.request({
    path: '/load_weights',
    body: (seq_id) => ({ json: { model_id: model.id, path, seq_id, type: 'load_weights', ...choice } }),
    reader: { schema: loadWeightsResultSchema },
  });
}

function requireLoad({ profile, optimizer }: { profile: TinkerProfile; optimizer: boolean }): void {
  if (optimizer || profile.loadFirstOnly) return;
  const message = `loadState: a server like ${profile.name} always restores the optimizer; expected optimizer true.`;
  throw new TadpoleError({ code: 'unsupported', message });
}
