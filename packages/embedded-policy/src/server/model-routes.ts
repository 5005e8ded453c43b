import {
  createModelRequestSchema,
  createSessionRequestSchema,
  modelRequestSchema,
  sessionHeartbeatRequestSchema,
} from '@tadpole/contracts/tinker';
import { parseBody } from './parse-body.js';
import { RefusedRequest } from './refused-request.js';
import type { ServedModel } from './served-models.js';
import { type Route, requireBaseModel, type ServerState, timeOf } from './server-state.js';

/** Sessions, models and what is known of them. */
export const modelRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/healthz$/,
    answer: async () => ({ json: { status: 'ok' } }),
  },
  {
    method: 'POST',
    path: /^\/client\/config$/,
    answer: async () => ({ json: { pjwt_auth_enabled: false, proto_compress_fwdbwd: false, sample_use_retrieve_futures: false } }),
  },
  {
    method: 'GET',
    path: /^\/get_server_capabilities$/,
    answer: async (_request, { baseModel, config }) => ({
      json: { supported_models: [{ model_name: baseModel, max_context_length: config.contextTokens, trainable: true, sampleable: true }] },
    }),
  },
  {
    method: 'POST',
    path: /^\/telemetry$/,
    answer: async () => ({ json: { status: 'accepted' } }),
  },
  {
    method: 'POST',
    path: /^\/create_session$/,
    async answer({ json }, { sessions }) {
      parseBody(createSessionRequestSchema, json());
      return {
        json: { type: 'create_session', session_id: sessions.open(), info_message: null, warning_message: null, error_message: null },
      };
    },
  },
  {
    method: 'POST',
    path: /^\/session_heartbeat$/,
    async answer({ json }, { sessions }) {
      sessions.beat(parseBody(sessionHeartbeatRequestSchema, json()).session_id);
      return { json: { type: 'session_heartbeat' } };
    },
  },
  {
    method: 'POST',
    path: /^\/sessions\/([a-zA-Z0-9_-]+)\/finish$/,
    async answer({ parts: [id = ''] }, { sessions, models }) {
      sessions.finish(id);
      const own = models.all().filter(({ sessionId }) => sessionId === id);
      // Unloading waits for what has begun, and the client does not.
      for (const model of own) void models.unload(model.id).catch(() => undefined);
      return { json: {} };
    },
  },
  {
    method: 'POST',
    path: /^\/create_model$/,
    async answer({ json, body }, state) {
      const { session_id, model_seq_id, base_model, lora_config } = parseBody(createModelRequestSchema, json());
      state.sessions.beat(session_id);
      requireBaseModel({ state, name: base_model });
      const id = modelIdOf({ sessionId: session_id, modelSeqId: model_seq_id });
      const known = state.made.recall({ key: id, body });
      if (known !== undefined) return { json: { request_id: known, model_id: id } };
      const rank = lora_config?.rank ?? 0;
      const model = openModel({ state, id, sessionId: session_id, rank });
      const lora = { rank, alpha: rank, seed: lora_config?.seed ?? null, train_attn: true, train_mlp: true, train_unembed: true };
      const result = { model_id: id, base_model, lora_config: lora, type: 'create_model' };
      const requestId = state.futures.add(model.started().then(() => ({ json: result })));
      state.made.remember({ key: id, body, requestId });
      return { json: { request_id: requestId, model_id: id } };
    },
  },
  {
    method: 'POST',
    path: /^\/unload_model$/,
    async answer({ json }, state) {
      const { model_id } = parseBody(modelRequestSchema, json());
      const model = state.models.get(model_id);
      const work = state.models.unload(model.id).then(() => ({ json: { model_id, status: 'unloaded', type: 'unload_model' } }));
      return { json: { request_id: state.futures.add(work), model_id } };
    },
  },
  {
    method: 'POST',
    path: /^\/get_info$/,
    async answer({ json }, state) {
      const { id, rank } = state.models.get(parseBody(modelRequestSchema, json()).model_id);
      const { baseModel } = state;
      const data = { arch: 'tadpole', model_name: baseModel, base_model: baseModel, tokenizer_id: null, lora_config: { rank } };
      return { json: { type: 'get_info', model_id: id, model_data: data, model_name: baseModel, is_lora: false, lora_rank: rank } };
    },
  },
  {
    method: 'GET',
    path: /^\/training_runs$/,
    async answer({ query }, state) {
      const [limit, offset] = [numberOf(query, 'limit', 20), numberOf(query, 'offset', 0)];
      const models = state.models.all();
      const runs = await Promise.all(models.slice(offset, offset + limit).map((model) => runOf(state, model)));
      return { json: { training_runs: runs, cursor: { offset, limit, total_count: models.length } } };
    },
  },
  {
    method: 'GET',
    path: /^\/training_runs\/([a-zA-Z0-9_:-]+)$/,
    answer: async ({ parts: [id = ''] }, state) => ({ json: await runOf(state, state.models.get(id)) }),
  },
];

/** The id that clients derive from a session and the number of a model in it. */
export function modelIdOf({ sessionId, modelSeqId }: { sessionId: string; modelSeqId: number }): string {
  return `${sessionId}:train:${modelSeqId}`;
}

/** A new model. @throws RefusedRequest 409 where one has the id, 429 */
export function openModel(options: { state: ServerState; id: string; sessionId: string; rank: number }): ServedModel {
  const { state, id, sessionId, rank } = options;
  if (state.models.all().some((model) => model.id === id)) throw new RefusedRequest(409, `Model ${id} was created before.`);
  return state.models.create({ id, sessionId, rank, now: timeOf(state) });
}

async function runOf(state: ServerState, model: ServedModel) {
  const checkpoints = await state.checkpoints.list(model.id);
  const last = (kind: 'weights' | 'sampler_weights') => {
    const found = checkpoints
      .filter((one) => one.kind === kind)
      .sort((one, other) => one.time.localeCompare(other.time))
      .at(-1);
    return found === undefined ? null : checkpointOf(found);
  };
  return {
    ...{ training_run_id: model.id, base_model: state.baseModel, model_owner: 'local', is_lora: false, corrupted: false },
    ...{ lora_rank: model.rank, last_request_time: model.lastRequestAt, user_metadata: null },
    ...{ last_checkpoint: last('weights'), last_sampler_checkpoint: last('sampler_weights') },
  };
}

/** A checkpoint as the protocol tells of it. */
export function checkpointOf({ modelId, kind, name, time }: { modelId: string; kind: string; name: string; time: string }) {
  const type = kind === 'weights' ? 'training' : 'sampler';
  return { checkpoint_id: `${kind}/${name}`, checkpoint_type: type, time, tinker_path: `tinker://${modelId}/${kind}/${name}` };
}

function numberOf(query: URLSearchParams, name: string, otherwise: number): number {
  const value = Number(query.get(name) ?? otherwise);
  if (Number.isInteger(value) && value >= 0 && value <= 1000) return value;
  throw new RefusedRequest(422, `Expected ${name} to be a whole number from 0 to 1000.`);
}
