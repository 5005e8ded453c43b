import { type SampledSequence, TadpoleError } from '@tadpole/contracts';
import { engineHandleOf, keepEngineHandle } from './engine-handle.js';
import { createEngineSampler, type Draw, type EngineSampler, type LogprobsOptions } from './engine-sampler.js';
import { createEngineServer, type EngineServer } from './engine-server.js';
import type { EngineSamplerOptions } from './server-options.js';
import { readCompletionsAnswer, readGenerateAnswer } from './vllm-answer.js';

/** Options of {@link createVllmSampler}. */
export interface VllmSamplerOptions extends EngineSamplerOptions, LogprobsOptions {
  /** Name of the served model or adapter. */
  readonly model: string;
  /** What the server's weights are called; vLLM does not say it with an answer. An adapter's name is a good one. */
  readonly weightsVersion: string;
  /** `auto`: `/inference/v1/generate`, and `/v1/completions` where the server has no such route. @default 'auto' */
  readonly route?: 'auto' | 'generate' | 'completions';
}

/** The answer of a web framework for a route that it does not have; an unknown model is answered differently. */
const NO_SUCH_ROUTE = /^\s*\{\s*"detail"\s*:\s*"Not Found"\s*\}\s*$/;

/**
 * Samples from a vLLM server, token in and token out. Every sequence is a request of its own with its own seed, so that it does not
 * depend on how many are drawn; the shared prompt is the server's prefix cache's affair. All sampling settings are sent, since a
 * server takes missing ones from the model's `generation_config.json`, and only `stopIds` end a sequence.
 *
 * The sampler holds a name, not weights: after `updateVllmWeights` or the removal of its adapter it refuses. Weights that somebody
 * else changes go unnoticed here; a canary finds them.
 *
 * @throws TadpoleError `invalid-config`; its `sample` throws `engine`, `invalid-input`, `unsupported` or `aborted`.
 */
export function createVllmSampler(options: VllmSamplerOptions): EngineSampler {
  const server = createEngineServer({ ...options, name: `vLLM (${options.model})` });
  const handle = { server, options, retired: undefined as string | undefined };
  let hasGenerate = options.route !== 'completions';
  const sampler = createEngineSampler({
    ...options,
    name: `vLLM (${options.model})`,
    async draw(draw) {
      const assertCurrent = () => {
        if (handle.retired !== undefined) throw server.failure(`the sampler of ${options.weightsVersion} is over: ${handle.retired}`);
      };
      assertCurrent();
      let sequence: SampledSequence | undefined;
      if (hasGenerate) sequence = await generate({ server, options, draw });
      if (sequence === undefined) {
        hasGenerate = false;
        sequence = await complete({ server, options, draw });
      }
      // Weights that were exchanged while the answer was on its way are not the recorded ones.
      assertCurrent();
      return sequence;
    },
  });
  keepEngineHandle(sampler, handle);
  return sampler;
}

/** The options and the server of a sampler that this package made. @throws TadpoleError `invalid-input` for any other. */
export function vllmHandleOf(sampler: EngineSampler) {
  const handle = engineHandleOf<VllmSamplerOptions>(sampler);
  if (handle !== undefined && 'model' in handle.options) return handle;
  throw new TadpoleError({ code: 'invalid-input', message: 'Expected a sampler of createVllmSampler, got another.' });
}

async function generate(call: { server: EngineServer; options: VllmSamplerOptions; draw: Draw }): Promise<SampledSequence | undefined> {
  const { server, options, draw } = call;
  const { prompt, signal } = draw;
  const request = { ...draw, vocabularySize: options.vocabularySize };
  return server.ask<SampledSequence | undefined>({
    path: '/inference/v1/generate',
    body: { model: options.model, token_ids: prompt, stream: false, sampling_params: { n: 1, ...samplingOf(draw), logprobs: 1 } },
    signal,
    read: (body, text) => readGenerateAnswer({ body, text, request }),
    onStatus: ({ status, text }) =>
      options.route !== 'generate' && status === 404 && NO_SUCH_ROUTE.test(text) ? { value: undefined } : undefined,
  });
}

async function complete(call: { server: EngineServer; options: VllmSamplerOptions; draw: Draw }): Promise<SampledSequence> {
  const { server, options, draw } = call;
  const { prompt, signal } = draw;
  const request = { ...draw, vocabularySize: options.vocabularySize };
  return server.ask({
    path: '/v1/completions',
    body: { model: options.model, prompt, n: 1, stream: false, ...samplingOf(draw), logprobs: 1, return_token_ids: true },
    signal,
    read: (body, text) => readCompletionsAnswer({ body, text, request, prompt }),
  });
}

function samplingOf({ sampling, stopIds, seed, maxTokens }: Draw): Record<string, unknown> {
  return {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK === 0 ? -1 : sampling.topK,
    min_p: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    repetition_penalty: 1,
    max_tokens: maxTokens,
    seed,
    stop_token_ids: stopIds,
    ignore_eos: true,
    skip_special_tokens: false,
  };
}
