import { createEngine, type Engine } from '../engine/create-engine.js';
import type { ModelConfig } from '../engine/model/model-config.js';
import { RefusedRequest } from './refused-request.js';
import { createRememberedAnswers, type RememberedAnswers } from './remembered-answers.js';
import { createRequestOrder } from './request-order.js';

/** A model that clients train: an engine of its own, and its requests in the order of their numbers, or of their arrival without one. */
export interface ServedModel {
  readonly id: string;
  readonly sessionId: string;
  readonly rank: number;
  readonly createdAt: string;
  lastRequestAt: string;
  /** By the numbers of its requests. */
  readonly answers: RememberedAnswers<number>;
  /** Requests that have begun. */
  begun(): number;
  /** Whether nothing has begun, and a request of this number would at once. */
  isFresh(seqId: number | undefined): boolean;
  /** Whether others wait for a request of this number. */
  fillsGap(seqId: number): boolean;
  /** Resolves once its engine can work. */
  started(): Promise<void>;
  /**
   * Does work once all that came before is done, failed or not.
   * @throws RefusedRequest 409 when a lower number does not come in time; the request is forgotten then
   */
  enqueue<Result>(work: (engine: Engine) => Promise<Result>, options: { seqId: number | undefined }): Promise<Result>;
  /** A request of this number was refused; those after it do not wait for it. */
  passOver(seqId: number): void;
  /** Ends its engine once what has begun is done. */
  close(): Promise<void>;
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
export function createServedModels(options: {
  config: ModelConfig;
  weights: Float32Array;
  threads?: number;
  most: number;
  /** How long a request waits for those of lower numbers. */
  gapMs: number;
  /** Called before a model's engine is closed. */
  onUnload: (modelId: string) => Promise<void>;
}): ServedModels {
  const { config, weights, threads, most, gapMs, onUnload } = options;
  const models = new Map<string, { model: ServedModel; engine: Promise<Engine> }>();
  const start = () => createEngine({ config, weights, ...(threads === undefined ? {} : { threads }) });
  return {
    create({ id, sessionId, rank, now }) {
      if (models.size >= most) throw new RefusedRequest(429, `This server holds ${most} models at most; unload one.`);
      const engine = start();
      const model = createModel({ id, sessionId, rank, now, engine, gapMs });
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
      if (found === undefined) return;
      await onUnload(id);
      await found.model.close();
    },
    async close() {
      const engines = [...models.values()].map(({ engine }) => engine);
      models.clear();
      await Promise.all(engines.map(async (engine) => (await engine.catch(() => undefined))?.close()));
    },
  };
}

function createModel(options: {
  id: string;
  sessionId: string;
  rank: number;
  now: string;
  engine: Promise<Engine>;
  gapMs: number;
}): ServedModel {
  const { id, sessionId, rank, now, engine, gapMs } = options;
  const nameOf = (seqId: number) => `Request number ${seqId} of model ${id}`;
  const answers = createRememberedAnswers<number>({ most: rememberedAnswers, nameOf });
  const order = createRequestOrder({ gapMs });
  let last: Promise<unknown> = engine.catch(() => undefined);
  let begun = 0;

  function begin<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result> {
    const result = last.then(async () => work(await engine));
    last = result.catch(() => undefined);
    return result;
  }

  return {
    ...{ id, sessionId, rank, createdAt: now, lastRequestAt: now, answers },
    begun: () => begun,
    isFresh: (seqId) => begun === 0 && (seqId === undefined || order.isNext(seqId)),
    fillsGap: (seqId) => order.fillsGap(seqId),
    started: async () => void (await engine),
    enqueue(work, { seqId }) {
      const count = () => {
        begun += 1;
        return begin(work);
      };
      if (seqId === undefined) return count();
      return new Promise((resolve, reject) => {
        const miss = (missing: number) => {
          answers.forget(seqId);
          const message = `${nameOf(seqId)} waited for number ${missing}, which did not come; send ${missing} first, then ${seqId} again.`;
          reject(new RefusedRequest(409, message));
        };
        order.take({ seqId, begin: () => resolve(count()), miss });
      });
    },
    passOver: (seqId) => order.passOver(seqId),
    async close() {
      order.close();
      await begin(async (own) => own.close());
    },
  };
}
