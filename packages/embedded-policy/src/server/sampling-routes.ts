import { createSamplingSessionRequestSchema, type SampleOutput, sampleRequestSchema } from '@tadpole/contracts/tinker';
import type { z } from 'zod';
import { parsePath, pathOf } from './checkpoint-store.js';
import { MalformedBody, parseBody } from './parse-body.js';
import { RefusedRequest } from './refused-request.js';
import { type ServedSampler, samplerOfFile } from './served-samplers.js';
import { type Route, requireBaseModel, type ServerState } from './server-state.js';
import { encodeSampleOutput } from './wire-codec.js';

type SampleRequest = z.infer<typeof sampleRequestSchema>;

/** Of the hosted service alone. */
const absentFields = [
  ...(['topk_prompt_logprobs', 'topk_sample_logprobs', 'prompt_alt_tokens_k', 'target_prompt_logprobs'] as const),
  'prompt_logprobs_last_n',
] as const;

/** Sampling sessions and `asample`. */
export const samplingRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/create_sampling_session$/,
    async answer({ json }, state) {
      const request = parseBody(createSamplingSessionRequestSchema, json());
      state.sessions.beat(request.session_id);
      if ((request.base_model ?? undefined) === undefined && (request.model_path ?? undefined) === undefined)
        throw new RefusedRequest(400, 'Expected base_model or model_path, got neither.');
      const id = `${request.session_id}:sample:${request.sampling_session_seq_id}`;
      state.samplers.add(id, await samplerOf({ state, request }));
      return { json: { type: 'create_sampling_session', sampling_session_id: id } };
    },
  },
  {
    method: 'POST',
    path: /^\/asample$/,
    async answer({ json, body }, state) {
      const request = parseSample(json());
      const prompt = request.prompt.chunks.flatMap(({ tokens }) => tokens);
      const stopIds = stopIdsOf(request);
      requireRequest({ state, request, prompt });
      const { sampling_session_id: session } = request;
      const sampler = typeof session === 'string' ? state.samplers.find(session) : await samplerOf({ state, request });
      if (sampler === undefined)
        throw new RefusedRequest(
          404,
          'Expected a sampling session of this server, got an unknown one; it may have made way for newer ones.',
        );
      const release = state.queue.take(body.length);
      const work = drawSamples({ state, request, prompt, stopIds, sampler }).finally(release);
      const result = work.then((output) => ({ json: output, protobuf: () => encodeSampleOutput(output), numbers: numbersOf(output) }));
      const requestId = state.futures.add(result);
      const ids = Array.from({ length: request.num_samples }, (_, index) => `${requestId}:${index}`);
      return { json: { request_id: requestId, sample_sequence_ids: ids } };
    },
  },
];

/** What the protocol answers with 400 is no malformed body. @throws RefusedRequest 400, MalformedBody */
function parseSample(body: unknown): SampleRequest {
  try {
    return parseBody(sampleRequestSchema, body);
  } catch (error) {
    const fields = error instanceof MalformedBody ? error.detail.map(({ loc }) => loc.at(-1)) : [];
    if (fields.includes('max_tokens')) throw new RefusedRequest(400, 'Expected max_tokens of 1 or more: a sample is as long as it says.');
    if (fields.includes('stop')) throw new RefusedRequest(400, 'Expected stop to hold token ids or strings, and not both.');
    throw error;
  }
}

function numbersOf({ sequences, prompt_logprobs: prompt }: SampleOutput): number {
  return sequences.reduce((sum, { tokens }) => sum + 2 * tokens.length, prompt?.length ?? 0);
}

async function drawSamples(options: {
  state: ServerState;
  request: SampleRequest;
  prompt: readonly number[];
  stopIds: readonly number[];
  sampler: ServedSampler;
}): Promise<SampleOutput> {
  const { state, request, prompt, stopIds, sampler } = options;
  const { max_tokens: maxTokens, temperature, top_p: topP, top_k: topK, seed } = request.sampling_params;
  const sequences = await sampler.sampler.sample({
    ...{ prompt: Int32Array.from(prompt), count: request.num_samples, stopIds, maxTokens, temperature, topP },
    seed: seed ?? state.drawSeed(),
    ...(topK > 0 ? { topK } : {}),
  });
  return {
    sequences: sequences.map(({ ids, logprobs, stopReason }) => ({ stop_reason: stopReason, tokens: [...ids], logprobs: [...logprobs] })),
    prompt_logprobs: request.prompt_logprobs === true ? await scorePrompt({ prompt, sampler }) : null,
  };
}

/** Nothing comes before the first token, which therefore has no log-probability. */
async function scorePrompt({ prompt, sampler }: { prompt: readonly number[]; sampler: ServedSampler }): Promise<(number | null)[]> {
  if (prompt.length < 2) return [null];
  const engine = await sampler.scorer();
  const sequence = { inputs: Int32Array.from(prompt.slice(0, -1)), targets: Int32Array.from(prompt.slice(1)) };
  const [scored] = await engine.forward({ sequences: [sequence] });
  return [null, ...(scored?.logprobs ?? [])];
}

/** The sampler of a base model or a checkpoint, opened where it is not at hand. */
async function samplerOf(options: {
  state: ServerState;
  request: { readonly base_model?: string | null | undefined; readonly model_path?: string | null | undefined };
}): Promise<ServedSampler> {
  const { state, request } = options;
  requireBaseModel({ state, name: request.base_model });
  if (typeof request.model_path !== 'string') return state.samplers.base;
  const name = parsePath(request.model_path);
  return state.samplers.findOrOpen(pathOf(name), async () => {
    const { file } = await state.checkpoints.find(name);
    return samplerOfFile({ file, config: state.config });
  });
}

function stopIdsOf({ sampling_params: { stop } }: SampleRequest): readonly number[] {
  if (stop === null || stop === undefined) return [];
  const ids = typeof stop === 'string' ? [stop] : stop;
  if (ids.some((id) => typeof id !== 'number'))
    throw new RefusedRequest(400, 'Expected stop to hold token ids: this server has no tokenizer for stop strings.');
  return ids as readonly number[];
}

function requireRequest(options: { state: ServerState; request: SampleRequest; prompt: readonly number[] }): void {
  const { state, request, prompt } = options;
  const { contextTokens, vocabularySize } = state.config;
  const wrong = prompt.findIndex((id) => id < 0 || id >= vocabularySize);
  const absent = absentFields.find((name) => Boolean(request[name]));
  const problem =
    absent !== undefined
      ? `no ${absent}: this server does not have it`
      : request.num_samples > state.limits.samples
        ? `at most ${state.limits.samples} samples, got ${request.num_samples}`
        : prompt.length < 1 || prompt.length >= contextTokens
          ? `a prompt of 1 to ${contextTokens - 1} tokens, got ${prompt.length}`
          : wrong >= 0
            ? `token ids from 0 to ${vocabularySize - 1}, got ${prompt[wrong]} at position ${wrong}`
            : undefined;
  if (problem !== undefined) throw new RefusedRequest(400, `Expected ${problem}.`);
}
