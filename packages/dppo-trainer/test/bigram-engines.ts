import type { Sampler } from '@tadpole/contracts';
import { z } from 'zod';
import { listen, type Received, type Reply } from './scripted-engine.js';

const settings = {
  n: z.literal(1),
  temperature: z.number().min(0),
  top_p: z.literal(1),
  top_k: z.literal(-1),
  min_p: z.literal(0),
  presence_penalty: z.literal(0),
  frequency_penalty: z.literal(0),
  repetition_penalty: z.literal(1),
  stop_token_ids: z.array(z.int()),
  skip_special_tokens: z.literal(false),
};
const vllmSettings = z.strictObject({
  ...settings,
  max_tokens: z.int(),
  seed: z.int(),
  ignore_eos: z.literal(true),
  logprobs: z.literal(1),
});
const generateRequest = z.strictObject({
  model: z.literal('tiny'),
  token_ids: z.array(z.int()),
  stream: z.literal(false),
  sampling_params: vllmSettings,
});
const completionsRequest = vllmSettings.extend({
  model: z.literal('tiny'),
  prompt: z.array(z.int()),
  stream: z.literal(false),
  return_token_ids: z.literal(true),
});
const sglangRequest = z.strictObject({
  input_ids: z.array(z.int()),
  sampling_params: z.strictObject({
    ...settings,
    max_new_tokens: z.int(),
    sampling_seed: z.int(),
    ignore_eos: z.boolean(),
    no_stop_trim: z.literal(true),
  }),
  return_logprob: z.literal(true),
  logprob_start_len: z.literal(-1),
  top_logprobs_num: z.literal(0),
  stream: z.literal(false),
});

const draw = async (
  sampler: Sampler,
  call: { prompt: number[]; temperature: number; maxTokens: number; seed: number; stopIds: number[] },
) => {
  const sampling = { temperature: call.temperature, topP: 1, topK: 0, maxTokens: call.maxTokens, seed: call.seed };
  const [sequence] = await sampler.sample({ prompt: call.prompt, count: 1, sampling, stopIds: call.stopIds });
  if (sequence === undefined) throw new Error('Expected a sequence.');
  return sequence;
};

/** A strict vLLM server over a bigram model, in the shapes of `/inference/v1/generate` and `/v1/completions`. */
export function bigramVllm(options: { sampler: Sampler; hasGenerate: boolean }) {
  const { sampler, hasGenerate } = options;
  return listen(async ({ url, body }: Received): Promise<Reply> => {
    if (url === '/inference/v1/generate' && hasGenerate) {
      const { token_ids: prompt, sampling_params: params } = generateRequest.parse(body);
      const drawn = {
        prompt,
        temperature: params.temperature,
        maxTokens: params.max_tokens,
        seed: params.seed,
        stopIds: params.stop_token_ids,
      };
      const { ids, logprobs, stopReason } = await draw(sampler, drawn);
      const content = ids.map((id, at) => ({ token: `token_id:${id}`, logprob: logprobs[at], bytes: null, top_logprobs: [] }));
      const choice = { index: 0, token_ids: ids, logprobs: { content }, finish_reason: stopReason };
      return { body: { request_id: 'r', choices: [choice], prompt_logprobs: null, kv_transfer_params: null } };
    }
    if (url === '/v1/completions') {
      const request = completionsRequest.parse(body);
      const { prompt, temperature, seed } = request;
      const { ids, logprobs, stopReason } = await draw(sampler, {
        ...{ prompt, temperature, seed },
        maxTokens: request.max_tokens,
        stopIds: request.stop_token_ids,
      });
      const lists = { text_offset: [], tokens: ids.map(String), token_logprobs: logprobs, top_logprobs: [] };
      const choice = {
        index: 0,
        text: '',
        logprobs: lists,
        finish_reason: stopReason,
        stop_reason: null,
        token_ids: ids,
        prompt_token_ids: prompt,
      };
      return { body: { id: 'c', object: 'text_completion', model: 'tiny', choices: [choice], usage: {} } };
    }
    return { status: 404, body: { detail: 'Not Found' } };
  });
}

/** A strict SGLang server over a bigram model, in the shape of `/generate`. */
export function bigramSglang(options: { sampler: Sampler; version: string }) {
  return listen(async ({ url, body }: Received): Promise<Reply> => {
    if (url !== '/generate') return { status: 404, body: { detail: 'Not Found' } };
    const { input_ids: prompt, sampling_params: params } = sglangRequest.parse(body);
    const stopIds = params.ignore_eos ? [] : params.stop_token_ids;
    const { ids, logprobs, stopReason } = await draw(options.sampler, {
      ...{ prompt, stopIds },
      temperature: params.temperature,
      maxTokens: params.max_new_tokens,
      seed: params.sampling_seed,
    });
    return {
      body: {
        text: '',
        output_ids: ids,
        meta_info: {
          id: 'r',
          finish_reason: stopReason === 'stop' ? { type: 'stop', matched: ids.at(-1) } : { type: 'length', length: ids.length },
          prompt_tokens: prompt.length,
          weight_version: options.version,
          output_token_logprobs: ids.map((id, at) => [logprobs[at], id, null]),
        },
      },
    };
  });
}
