import { createHash } from 'node:crypto';
import { createEngine, type Engine } from '../engine/create-engine.js';
import type { ModelConfig } from '../engine/model/model-config.js';
import { RefusedRequest } from './refused-request.js';

/** A model that clients train: an engine of its own, and its requests in the order of their arrival. */
export interface ServedModel {
  readonly id: string;
  readonly sessionId: string;
  readonly rank: number;
  readonly createdAt: string;
  /** Requests so far. */
  requests: number;
  lastRequestAt: string;
  /** Does work once all that came before is done, failed or not. */
  enqueue<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result>;
  /** The answer to a request that was sent before under the same number; `undefined` for a new one. @throws RefusedRequest 409 for another body */
  recall(options: { seqId: number | null | undefined; body: Uint8Array }): string | undefined;
  /** Remembers the answer to the request of {@link recall}. */
  remember(options: { seqId: number | null | undefined; body: Uint8Array; requestId: string }): void;
}

/** The models of a server. */
export interface ServedModels {
  /** @throws RefusedRequest 429 when there are too many */
  create(options: { id: string; sessionId: string; rank: number; now: string }): ServedModel;
  /** @throws RefusedRequest 404 */
  get(id: string): ServedModel;
  all(): readonly ServedModel[];
  /** Ends its engine once what is queued is done. */
  unload(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Remembered answers of a model. */
const rememberedAnswers = 4_096;

/** No models yet; each starts as a copy of `weights`. */
export function createServedModels(options: { config: ModelConfig; weights: Float32Array; threads?: number; most: number }): ServedModels {
  const { config, weights, threads, most } = options;
  const models = new Map<string, { model: ServedModel; engine: Promise<Engine> }>();
  const start = () => createEngine({ config, weights, ...(threads === undefined ? {} : { threads }) });
  return {
    create({ id, sessionId, rank, now }) {
      if (models.size >= most) throw new RefusedRequest(429, `This server holds ${most} models at most; unload one.`);
      const engine = start();
      const model = createModel({ id, sessionId, rank, now, engine });
      models.set(id, { model, engine });
      return model;
    },
    get(id) {
      const found = models.get(id);
      if (found === undefined) throw new RefusedRequest(404, `Expected a model of this server, got ${JSON.stringify(id.slice(0, 100))}.`);
      return found.model;
    },
    all: () => [...models.values()].map(({ model }) => model),
    async unload(id) {
      const found = models.get(id);
      models.delete(id);
      await found?.model.enqueue(async (engine) => engine.close());
    },
    async close() {
      const engines = [...models.values()].map(({ engine }) => engine);
      models.clear();
      await Promise.all(engines.map(async (engine) => (await engine.catch(() => undefined))?.close()));
    },
  };
}

function createModel(options: { id: string; sessionId: string; rank: number; now: string; engine: Promise<Engine> }): ServedModel {
  const { id, sessionId, rank, now, engine } = options;
  let last: Promise<unknown> = engine.catch(() => undefined);
  const answers = new Map<number, { digest: string; requestId: string }>();
  const digestOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');
  return {
    ...{ id, sessionId, rank, createdAt: now, requests: 0, lastRequestAt: now },
    enqueue(work) {
      const result = last.then(async () => work(await engine));
      last = result.catch(() => undefined);
      return result;
    },
    recall({ seqId, body }) {
      const known = typeof seqId === 'number' ? answers.get(seqId) : undefined;
      if (known === undefined) return undefined;
      if (known.digest === digestOf(body)) return known.requestId;
      throw new RefusedRequest(409, `Request number ${seqId} of model ${id} was used before with another body.`);
    },
    remember({ seqId, body, requestId }) {
      if (typeof seqId !== 'number') return;
      answers.set(seqId, { digest: digestOf(body), requestId });
      const [oldest] = answers.keys();
      if (answers.size > rememberedAnswers && oldest !== undefined) answers.delete(oldest);
    },
  };
}
