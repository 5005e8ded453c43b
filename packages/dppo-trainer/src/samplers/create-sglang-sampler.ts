import { type SampledSequence, TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { checkSequence, type SequenceRequest } from './check-sequence.js';
import { engineHandleOf, keepEngineHandle } from './engine-handle.js';
import { createEngineSampler, type Draw, type EngineSampler, type LogprobsOptions } from './engine-sampler.js';
import { createEngineServer, excerpt, type Reading } from './engine-server.js';
import type { EngineSamplerOptions } from './server-options.js';

/** Options of {@link createSglangSampler}. */
export interface SglangSamplerOptions extends EngineSamplerOptions, LogprobsOptions {
  /** The server's `weight_version`, which comes with every answer and is held against this. `readSglangVersion` asks for it. */
  readonly weightsVersion: string;
  /** Path or name of a loaded adapter. @default none */
  readonly adapter?: string;
}

const answerSchema = z.looseObject({
  output_ids: z.array(z.number()).nullish(),
  meta_info: z.looseObject({
    finish_reason: z.looseObject({ type: z.string(), message: z.string().optional() }).nullable(),
    output_token_logprobs: z.array(z.tuple([z.number().nullable(), z.number()], z.unknown())),
    weight_version: z.union([z.string(), z.number()]).optional(),
    // Of servers that tell which weights drew which part; `weight_version` is then the last one's.
    weight_versions: z.array(z.looseObject({ version: z.union([z.string(), z.number()]) })).nullish(),
  }),
});

/**
 * Samples from an SGLang server, token in and token out, one request a sequence. The version in every answer must be the sampler's own:
 * one of other weights is an error, never recorded. Seeds hold where the server runs with `--enable-deterministic-inference`, and
 * log-probabilities are raw where it runs with `SGLANG_RETURN_ORIGINAL_LOGPROB=1`; neither can be read off an answer.
 *
 * @throws TadpoleError `invalid-config`; its `sample` throws `engine`, `invalid-input`, `unsupported` or `aborted`.
 */
export function createSglangSampler(options: SglangSamplerOptions): EngineSampler {
  const server = createEngineServer({ ...options, name: 'SGLang' });
  const handle = { server, options, retired: undefined as string | undefined };
  const sampler = createEngineSampler({
    ...options,
    name: 'SGLang',
    async draw(draw) {
      if (handle.retired !== undefined) throw server.failure(`the sampler of ${options.weightsVersion} is over: ${handle.retired}`);
      const { version, sequence } = await server.ask({
        path: '/generate',
        body: requestOf(draw, options),
        signal: draw.signal,
        read: (body, text) => readAnswer({ body, text, request: { ...draw, vocabularySize: options.vocabularySize } }),
      });
      if (version !== options.weightsVersion)
        throw server.failure(
          `expected weights ${options.weightsVersion}, received a sequence of ${version ?? 'unnamed weights'}. Make a sampler for what the server holds now.`,
        );
      return sequence;
    },
  });
  keepEngineHandle(sampler, handle);
  return sampler;
}

/** The options and the server of a sampler that this package made. @throws TadpoleError `invalid-input` for any other. */
export function sglangHandleOf(sampler: EngineSampler) {
  const handle = engineHandleOf<SglangSamplerOptions>(sampler);
  if (handle !== undefined && !('model' in handle.options)) return handle;
  throw new TadpoleError({ code: 'invalid-input', message: 'Expected a sampler of createSglangSampler, got another.' });
}

function requestOf({ prompt, sampling, stopIds, seed, maxTokens }: Draw, { adapter }: SglangSamplerOptions): Record<string, unknown> {
  return {
    input_ids: prompt,
    sampling_params: {
      n: 1,
      temperature: sampling.temperature,
      top_p: sampling.topP,
      top_k: sampling.topK === 0 ? -1 : sampling.topK,
      min_p: 0,
      presence_penalty: 0,
      frequency_penalty: 0,
      repetition_penalty: 1,
      max_new_tokens: maxTokens,
      sampling_seed: seed,
      stop_token_ids: stopIds,
      // SGLang heeds no stop id at all under ignore_eos.
      ignore_eos: stopIds.length === 0,
      skip_special_tokens: false,
      no_stop_trim: true,
    },
    return_logprob: true,
    logprob_start_len: -1,
    top_logprobs_num: 0,
    stream: false,
    ...(adapter === undefined ? {} : { lora_path: adapter }),
  };
}

function readAnswer(options: {
  body: unknown;
  text: string;
  request: SequenceRequest;
}): Reading<{ version: string | undefined; sequence: SampledSequence }> {
  const parsed = answerSchema.safeParse(options.body);
  if (!parsed.success)
    return {
      problem: `expected meta_info with output_token_logprobs, finish_reason and weight_version, received ${excerpt(options.text)}`,
    };
  const { output_ids: outputIds, meta_info: meta } = parsed.data;
  const ids = meta.output_token_logprobs.map(([, id]) => id);
  if (outputIds && (outputIds.length !== ids.length || outputIds.some((id, at) => id !== ids[at])))
    return { problem: `expected the log-probabilities of the ${outputIds.length} output_ids, received those of ${ids.length} others` };
  const logprobs = meta.output_token_logprobs.map(([logprob]) => logprob);
  const { type, message } = meta.finish_reason ?? { type: 'null' };
  const sequence = checkSequence(
    { ids, logprobs, finish: message === undefined ? type : `${type} (${excerpt(message)})` },
    options.request,
  );
  if ('problem' in sequence) return sequence;
  const versions = [...(meta.weight_versions ?? []).map(({ version }) => version), meta.weight_version].map(String);
  const version = meta.weight_version === undefined ? undefined : [...new Set(versions)].join(' and ');
  return { value: { version, sequence: sequence.value } };
}
