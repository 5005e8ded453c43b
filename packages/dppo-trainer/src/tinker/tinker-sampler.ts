import { type SampledSequence, type Sampler, TadpoleError } from '@tadpole/contracts';
import { type SampleOutput, sampleOutputSchema } from '@tadpole/contracts/tinker';
import { checkSequence } from '../samplers/check-sequence.js';
import { decodeSampleOutput } from './tinker-codec.js';
import { engineError, TinkerFailure, tinkerFailureKind } from './tinker-failure.js';
import { requestIdOf, retrieveResult } from './tinker-futures.js';
import type { WaitSettings } from './tinker-model.js';
import type { TinkerProfile } from './tinker-profile.js';
import type { Transport } from './tinker-transport.js';

/** What samples: a checkpoint that was saved for sampling, or the untrained base. */
export type SamplerSource = { readonly modelPath: string } | { readonly baseModel: string };

/** A sampler over saved weights. Log-probabilities are the server's own, at temperature 1 over the whole vocabulary. */
export function createTinkerSampler(options: {
  transport: Transport;
  wait: WaitSettings;
  profile: TinkerProfile;
  source: SamplerSource;
  contextTokens: number;
  /** Asked before every request: why the sampler must not be used any more. @default it always may */
  whyStale?: () => string | undefined;
}): Sampler {
  const { source, profile, contextTokens, whyStale = () => undefined } = options;
  return {
    weightsVersion: 'modelPath' in source ? source.modelPath : source.baseModel,
    contextTokens,
    async sample({ prompt, count, sampling, stopIds, signal }) {
      const stale = whyStale();
      if (stale !== undefined) throw new TadpoleError({ code: 'unsupported', message: stale });
      if (prompt.length === 0 || prompt.length >= contextTokens) {
        const message = `Expected a prompt of 1 to ${contextTokens - 1} tokens, got ${prompt.length}; shorten the conversation.`;
        throw new TadpoleError({ code: 'invalid-input', message });
      }
      const maxTokens = Math.min(sampling.maxTokens, contextTokens - prompt.length);
      const body = {
        ...{ num_samples: count, prompt: { chunks: [{ type: 'encoded_text', tokens: [...prompt] }] }, type: 'sample' },
        ...('modelPath' in source ? { model_path: source.modelPath } : { base_model: source.baseModel }),
        sampling_params: {
          ...{ max_tokens: maxTokens, seed: sampling.seed % profile.seedLimit, temperature: sampling.temperature, top_p: sampling.topP },
          ...{ top_k: sampling.topK > 0 ? sampling.topK : -1 },
          ...(stopIds.length > 0 ? { stop: [...stopIds] } : {}),
        },
      };
      const output = await drawOutput({ ...options, body, signal });
      return sequencesOf({ output, count, maxTokens, stopIds });
    },
  };
}

/** A sample costs nothing but time: where its result was dropped it is asked for once more. @throws TadpoleError `engine`, `aborted` */
async function drawOutput(options: {
  transport: Transport;
  wait: WaitSettings;
  profile: TinkerProfile;
  body: object;
  signal: AbortSignal | undefined;
}): Promise<SampleOutput> {
  const { transport, wait, profile, body, signal } = options;
  const reader = { schema: sampleOutputSchema, ...(profile.wire === 'protobuf' ? { fromProtobuf: decodeSampleOutput } : {}) };
  const ask = async () => {
    const { requestId } = requestIdOf(await transport({ path: '/asample', json: body, signal }));
    return retrieveResult({ transport, requestId, reader, ...wait, signal });
  };
  try {
    return await ask().catch((error: unknown) => (tinkerFailureKind(error) === 'expired' ? ask() : Promise.reject(error)));
  } catch (error) {
    throw error instanceof TinkerFailure ? engineError(error) : error;
  }
}

function sequencesOf(options: { output: SampleOutput; count: number; maxTokens: number; stopIds: readonly number[] }): SampledSequence[] {
  const { output, count, ...request } = options;
  const { sequences } = output;
  if (sequences.length !== count) throw malformed(`expected ${count} sequences, received ${sequences.length}`);
  return sequences.map(({ tokens, logprobs, stop_reason: finish }) => {
    // Without stop ids of the caller's a server may end at the model's own.
    const stopIds = request.stopIds.length === 0 && finish === 'stop' ? tokens.slice(-1) : request.stopIds;
    const reading = checkSequence({ ids: tokens, logprobs: logprobs ?? [], finish }, { ...request, stopIds });
    if ('problem' in reading) throw malformed(reading.problem);
    return reading.value;
  });
}

function malformed(problem: string): TadpoleError {
  return engineError(new TinkerFailure({ kind: 'malformed', message: `asample: ${problem}` }));
}
