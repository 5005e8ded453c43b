import {
  loadWeightsRequestSchema,
  saveWeightsForSamplerRequestSchema,
  saveWeightsRequestSchema,
  weightsInfoRequestSchema,
} from '@tadpole/contracts/tinker';
import type { z } from 'zod';
import type { Engine } from '../engine/create-engine.js';
import { parsePath, pathOf } from './checkpoint-store.js';
import { checkpointOf, modelIdOf, openModel } from './model-routes.js';
import { parseBody } from './parse-body.js';
import { RefusedRequest } from './refused-request.js';
import type { ServedModel } from './served-models.js';
import { snapshotOf } from './served-samplers.js';
import { queueRequest, type Route, type RouteAnswer, requireBaseModel, type ServerState, timeOf } from './server-state.js';

/** Saving, loading and listing checkpoints. */
export const weightsRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/save_weights$/,
    async answer({ json, body }, state) {
      const { model_id, path, overwrite, seq_id } = parseBody(saveWeightsRequestSchema, json());
      const model = state.models.get(model_id);
      const checkpoint = { modelId: model.id, kind: 'weights' as const, name: path ?? `step-${seq_id ?? model.begun()}` };
      const work = async (engine: Engine) => {
        const facts = { baseModel: state.baseModel, time: timeOf(state), rank: model.rank, overwrite };
        const saved = await state.checkpoints.save({ ...checkpoint, ...facts, write: (file) => engine.saveState(file) });
        return { json: { path: saved, type: 'save_weights' } };
      };
      return queueRequest({ state, model, seqId: seq_id, body, work });
    },
  },
  {
    method: 'POST',
    path: /^\/load_weights$/,
    async answer({ json, body }, state) {
      return loadWeights({ state, request: parseBody(loadWeightsRequestSchema, json()), body });
    },
  },
  {
    method: 'POST',
    path: /^\/save_weights_for_sampler$/,
    async answer({ json, body }, state) {
      const request = parseBody(saveWeightsForSamplerRequestSchema, json());
      const model = state.models.get(request.model_id);
      return queueRequest({ state, model, seqId: request.seq_id, body, work: (engine) => saveSampler({ state, model, request, engine }) });
    },
  },
  {
    method: 'POST',
    path: /^\/weights_info$/,
    async answer({ json }, state) {
      const name = parsePath(parseBody(weightsInfoRequestSchema, json()).tinker_path);
      const { baseModel, rank } = await state.checkpoints.find(name);
      // Told as it was asked for: SDK 0.25 loads nothing without a rank.
      return { json: { base_model: baseModel, is_lora: rank > 0, lora_rank: rank > 0 ? rank : null } };
    },
  },
  {
    method: 'GET',
    path: /^\/(?:training_runs|models)\/([a-zA-Z0-9_:-]+)\/checkpoints$/,
    async answer({ parts: [id = ''] }, state) {
      return { json: { checkpoints: (await state.checkpoints.list(id)).map(checkpointOf) } };
    },
  },
  {
    method: 'DELETE',
    path: /^\/training_runs\/([a-zA-Z0-9_:-]+)\/checkpoints\/(weights|sampler_weights)\/([a-zA-Z0-9_-]+)$/,
    async answer({ parts: [modelId = '', kind = '', name = ''] }, state) {
      await state.checkpoints.remove({ modelId, kind: kind === 'weights' ? 'weights' : 'sampler_weights', name });
      return { json: null, status: 204 };
    },
  },
];

async function loadWeights(options: {
  state: ServerState;
  request: z.infer<typeof loadWeightsRequestSchema>;
  body: Uint8Array;
}): Promise<RouteAnswer> {
  const { state, request, body } = options;
  requireBaseModel({ state, name: request.base_model });
  const name = parsePath(request.path);
  const { rank } = await state.checkpoints.find(name);
  const { session_id: sessionId } = request;
  if (typeof request.model_id === 'string') {
    const model = requireFresh({ state, modelId: request.model_id, seqId: request.seq_id, body });
    return queueRequest({ state, model, seqId: request.seq_id, body, work: (engine) => loadInto({ state, request, engine, model }) });
  }
  if (typeof sessionId !== 'string') throw new RefusedRequest(422, 'Expected model_id or session_id, got neither.');
  state.sessions.beat(sessionId);
  const id = modelIdOf({ sessionId, modelSeqId: request.model_seq_id ?? 0 });
  const known = state.made.recall({ key: id, body });
  if (known !== undefined) return { json: { request_id: known, model_id: id } };
  const model = openModel({ state, id, sessionId, rank });
  const work = model.enqueue((engine) => loadInto({ state, request, engine, model }), { seqId: request.seq_id || undefined });
  const requestId = state.futures.add(work);
  state.made.remember({ key: id, body, requestId });
  return { json: { request_id: requestId, model_id: id } };
}

async function loadInto(options: {
  state: ServerState;
  request: z.infer<typeof loadWeightsRequestSchema>;
  engine: Engine;
  model: ServedModel;
}) {
  const { state, request, engine, model } = options;
  // Found again, since the checkpoint may have been saved anew while the request waited.
  const { file } = await state.checkpoints.find(parsePath(request.path));
  await engine.loadState(file, { optimizer: request.optimizer });
  return { json: { type: 'load_weights', path: request.path, model_id: model.id } };
}

/** A model that has done nothing yet, or nothing but this very request. */
function requireFresh(options: { state: ServerState; modelId: string; seqId: number | null | undefined; body: Uint8Array }): ServedModel {
  const { state, modelId, body } = options;
  const key = options.seqId || undefined;
  const model = state.models.get(modelId);
  if (model.isFresh(key) || (key !== undefined && model.answers.recall({ key, body }) !== undefined)) return model;
  throw new RefusedRequest(400, `LoadWeights is not permitted with seq_id ${key ?? 'null'}: it must be the model's first request.`);
}

async function saveSampler(options: {
  state: ServerState;
  model: ServedModel;
  request: z.infer<typeof saveWeightsForSamplerRequestSchema>;
  engine: Engine;
}) {
  const { state, model, request, engine } = options;
  const { path: name, sampling_session_seq_id: sessionSeqId } = request;
  if (typeof name !== 'string' && typeof sessionSeqId !== 'number')
    throw new RefusedRequest(422, 'Expected path or sampling_session_seq_id, got neither.');
  const snapshot = await snapshotOf({ engine, config: state.config, modelId: model.id });
  if (typeof name !== 'string') {
    const id = `${model.sessionId}:sample:${sessionSeqId}`;
    state.samplers.add(id, snapshot);
    return { json: { path: null, type: 'save_weights_for_sampler', sampling_session_id: id } };
  }
  const checkpoint = { modelId: model.id, kind: 'sampler_weights' as const, name };
  const facts = { baseModel: state.baseModel, time: timeOf(state), rank: model.rank, overwrite: false };
  try {
    await state.checkpoints.save({ ...checkpoint, ...facts, write: (file) => engine.saveState(file) });
  } catch (error) {
    await snapshot.dispose();
    throw error;
  }
  state.samplers.add(pathOf(checkpoint), snapshot);
  return { json: { path: pathOf(checkpoint), type: 'save_weights_for_sampler', sampling_session_id: null } };
}
