import { type SampledSequence, type Sampler, type Sampling, TadpoleError } from '@tadpole/contracts';
import type { EngineSamplerOptions } from './server-options.js';
import { streamSeed } from './stream-seed.js';

/**
 * Which log-probabilities a server returns. `raw`: of the model, at temperature 1 over the whole vocabulary, which is what is trained;
 * `processed`: after temperature and, on some servers, top-p and top-k.
 */
export type LogprobsMode = 'raw' | 'processed';

/** A sampler of an engine that runs elsewhere. */
export interface EngineSampler extends Sampler {
  /** As which the server was declared; goes on the record of a run. */
  readonly logprobsMode: LogprobsMode;
}

/** How log-probabilities are taken. */
export interface LogprobsOptions {
  /**
   * As which the server was started. Under `processed` only temperature 1, top-p 1 and no top-k are sampled.
   * @default 'processed'
   */
  readonly logprobsMode?: LogprobsMode;
  /** Samples all the same where the log-probabilities are not the trained ones, for evaluations. @default false */
  readonly acceptUntrainedLogprobs?: boolean;
}

/** One continuation to be asked for. */
export interface Draw {
  readonly prompt: readonly number[];
  readonly sampling: Sampling;
  readonly stopIds: readonly number[];
  /** Of this sequence. */
  readonly seed: number;
  /** `sampling.maxTokens`, or what the context leaves. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** The part that all engines share: refusals, streams, a bound on requests in flight, and one failure that ends the others. */
export function createEngineSampler(
  options: EngineSamplerOptions &
    LogprobsOptions & { name: string; weightsVersion: string; draw: (draw: Draw) => Promise<SampledSequence> },
): EngineSampler {
  const { name, weightsVersion, contextTokens, concurrency = 8, logprobsMode = 'processed' } = options;
  for (const [key, value, least] of [
    ['contextTokens', contextTokens, 2],
    ['concurrency', concurrency, 1],
  ] as const) {
    if (Number.isSafeInteger(value) && value >= least) continue;
    throw new TadpoleError({ code: 'invalid-config', message: `${name}: expected ${key} of ${least} or more, got ${value}.` });
  }
  return {
    weightsVersion,
    contextTokens,
    logprobsMode,
    async sample({ prompt, count, sampling, stopIds, signal }) {
      refuse({ name, prompt, count, sampling, contextTokens, logprobsMode, accepts: options.acceptUntrainedLogprobs ?? false });
      if (signal?.aborted) throw new TadpoleError({ code: 'aborted', message: `${name}: received the signal to stop.` });
      const ended = new AbortController();
      const both = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
      const maxTokens = Math.min(sampling.maxTokens, contextTokens - prompt.length);
      const sequences: SampledSequence[] = [];
      let next = 0;
      let failed: unknown;
      const work = async () => {
        while (next < count && failed === undefined) {
          const index = next;
          next += 1;
          const seed = streamSeed({ seed: sampling.seed, index });
          sequences[index] = await options.draw({ prompt, sampling, stopIds, seed, maxTokens, signal: both });
        }
      };
      const workers = Array.from({ length: Math.min(concurrency, count) }, () =>
        work().catch((error: unknown) => {
          failed ??= error;
          ended.abort();
        }),
      );
      await Promise.all(workers);
      if (failed !== undefined) throw failed;
      return sequences;
    },
  };
}

function refuse(call: {
  name: string;
  prompt: readonly number[];
  count: number;
  sampling: Sampling;
  contextTokens: number;
  logprobsMode: LogprobsMode;
  accepts: boolean;
}): void {
  const { name, prompt, count, sampling, contextTokens, logprobsMode, accepts } = call;
  const invalid = (message: string) => new TadpoleError({ code: 'invalid-input', message: `${name}: ${message}` });
  if (!Number.isSafeInteger(count) || count < 1) throw invalid(`expected a count of 1 or more, got ${count}.`);
  if (prompt.length === 0 || prompt.length >= contextTokens)
    throw invalid(`expected a prompt of 1 to ${contextTokens - 1} tokens, got ${prompt.length}. Nothing was sent.`);
  const strange = prompt.find((id) => !Number.isSafeInteger(id) || id < 0);
  if (strange !== undefined) throw invalid(`expected a prompt of token ids, got ${strange}.`);
  const { temperature, topP, topK } = sampling;
  const isTrained = logprobsMode === 'raw' || (temperature === 1 && topP === 1 && topK === 0);
  if (isTrained || accepts) return;
  throw new TadpoleError({
    code: 'unsupported',
    message: `${name}: expected temperature 1, top-p 1 and no top-k, got ${temperature}, ${topP} and ${topK}: this server's log-probabilities are taken after them and are not the trained ones. Start the server with raw log-probabilities and say logprobsMode 'raw', or set acceptUntrainedLogprobs to evaluate.`,
  });
}
