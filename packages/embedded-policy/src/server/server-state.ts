import type { Engine } from '../engine/create-engine.js';
import type { ModelConfig } from '../engine/model/model-config.js';
import type { Budget } from './budget.js';
import type { CheckpointStore } from './checkpoint-store.js';
import type { FutureResult, Futures } from './futures.js';
import { RefusedRequest } from './refused-request.js';
import type { RememberedAnswers } from './remembered-answers.js';
import type { ServedModel, ServedModels } from './served-models.js';
import type { ServedSamplers } from './served-samplers.js';
import type { Sessions } from './sessions.js';

/** What all routes of a server share. */
export interface ServerState {
  readonly baseModel: string;
  readonly config: ModelConfig;
  readonly sessions: Sessions;
  readonly models: ServedModels;
  readonly samplers: ServedSamplers;
  readonly checkpoints: CheckpointStore;
  readonly futures: Futures;
  /** Bodies of requests that are not done. */
  readonly queue: Budget;
  /** Futures of models made, by their ids. */
  readonly made: RememberedAnswers<string>;
  readonly limits: { readonly data: number; readonly tokens: number; readonly samples: number; readonly pollMs: number };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A seed for requests that name none, uniform in [0, 2^31). */
  readonly drawSeed: () => number;
}

/** A request as a route gets it. */
export interface RouteRequest {
  readonly body: Uint8Array;
  /** The body of a JSON request, unchecked; parsed once. */
  readonly json: () => unknown;
  readonly isProtobuf: boolean;
  readonly takesProtobuf: boolean;
  readonly query: URLSearchParams;
  /** What the pattern of the path holds. */
  readonly parts: readonly string[];
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

/** What a route answers; a status of 200 unless given. */
export type RouteAnswer =
  | { readonly json: object | null; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly protobuf: Uint8Array };

/** A method and path with what answers it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1`; each group is one of `parts`. */
  readonly path: RegExp;
  answer(request: RouteRequest, state: ServerState): Promise<RouteAnswer>;
}

/** Queues a model's request and answers with its future; a repeated request gets the future of the first. @throws RefusedRequest 409, 429 */
export function queueRequest(options: {
  state: ServerState;
  model: ServedModel;
  /** Without a number, or with 0, the request has its place by its arrival. */
  seqId: number | null | undefined;
  body: Uint8Array;
  work: (engine: Engine) => Promise<FutureResult>;
}): RouteAnswer {
  const { state, model, body, work } = options;
  const key = options.seqId || undefined;
  const known = key === undefined ? undefined : model.answers.recall({ key, body });
  if (known !== undefined) return { json: { request_id: known, model_id: model.id } };
  // What others wait for is let in always, or a queue that is full of them would stay so.
  const release = key !== undefined && model.fillsGap(key) ? () => {} : state.queue.take(body.length);
  const requestId = state.futures.add(model.enqueue(work, { seqId: key }).finally(release));
  model.lastRequestAt = timeOf(state);
  if (key !== undefined) model.answers.remember({ key, body, requestId });
  state.sessions.beat(model.sessionId);
  return { json: { request_id: requestId, model_id: model.id } };
}

/** Now, as the protocol writes times. */
export function timeOf({ now }: Pick<ServerState, 'now'>): string {
  return new Date(now()).toISOString();
}

/** @throws RefusedRequest 400 for another base model than the server's */
export function requireBaseModel({ state, name }: { state: ServerState; name: string | null | undefined }): void {
  if (name === state.baseModel || name === null || name === undefined) return;
  throw new RefusedRequest(400, `Expected base_model ${JSON.stringify(state.baseModel)}, got ${JSON.stringify(name.slice(0, 100))}.`);
}
