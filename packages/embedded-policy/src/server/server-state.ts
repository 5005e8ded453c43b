import type { ModelConfig } from '../engine/model/model-config.js';
import type { CheckpointStore } from './checkpoint-store.js';
import type { FutureResult, Futures } from './futures.js';
import { RefusedRequest } from './refused-request.js';
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
  readonly limits: { readonly data: number; readonly tokens: number; readonly samples: number; readonly pollMs: number };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A seed for requests that name none, uniform in [0, 2^31). */
  readonly drawSeed: () => number;
}

/** A request as a route gets it. */
export interface RouteRequest {
  readonly body: Uint8Array;
  /** The body of a JSON request, unchecked. */
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
export type RouteAnswer = { readonly json: object | null; readonly status?: number } | { readonly protobuf: Uint8Array };

/** A method and path with what answers it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1`; each group is one of `parts`. */
  readonly path: RegExp;
  answer(request: RouteRequest, state: ServerState): Promise<RouteAnswer>;
}

/** Queues a model's request and answers with its future; a repeated request gets the future of the first. */
export function queueRequest(options: {
  state: ServerState;
  model: ServedModel;
  seqId: number | null | undefined;
  body: Uint8Array;
  work: Parameters<ServedModel['enqueue']>[0] extends (engine: infer Engine) => unknown ? (engine: Engine) => Promise<FutureResult> : never;
}): RouteAnswer {
  const { state, model, seqId, body, work } = options;
  const known = model.recall({ seqId, body });
  if (known !== undefined) return { json: { request_id: known, model_id: model.id } };
  const requestId = state.futures.add(model.enqueue(work));
  model.requests += 1;
  model.lastRequestAt = timeOf(state);
  model.remember({ seqId, body, requestId });
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
