import type { SampledSequence } from '@tadpole/contracts';
import type { Reading } from './engine-server.js';

/** What a server said about one continuation, before it is believed. */
export interface ClaimedSequence {
  readonly ids: readonly number[];
  readonly logprobs: readonly (number | null)[];
  /** `other` for an answer that broke off. */
  readonly finish: string;
}

/** What was asked for. */
export interface SequenceRequest {
  readonly stopIds: readonly number[];
  readonly maxTokens: number;
  readonly vocabularySize?: number | undefined;
}

/** vLLM writes this number where it has no log-probability. */
const MISSING_LOGPROB = -9999;
/** A softmax in 32 or 16 bits can land this far above log 1. */
const ROUNDING = 1e-4;

/** Holds a continuation against what was asked for: only a sequence that can be trained on passes. */
export function checkSequence(claimed: ClaimedSequence, request: SequenceRequest): Reading<SampledSequence> {
  const { ids, logprobs, finish } = claimed;
  const { stopIds, maxTokens, vocabularySize = Number.POSITIVE_INFINITY } = request;
  if (finish !== 'stop' && finish !== 'length') return { problem: `expected a finished sequence, received the finish reason ${finish}` };
  if (ids.length === 0) return { problem: 'expected sampled ids, received none' };
  if (ids.length !== logprobs.length)
    return { problem: `expected one log-probability for each of ${ids.length} ids, received ${logprobs.length}` };
  if (ids.length > maxTokens) return { problem: `expected ${maxTokens} ids at most, received ${ids.length}` };
  const strange = ids.find((id) => !Number.isSafeInteger(id) || id < 0 || id >= vocabularySize);
  if (strange !== undefined) return { problem: `expected ids from 0 to ${vocabularySize - 1}, received ${strange}` };
  const at = logprobs.findIndex((each) => each === null || !Number.isFinite(each) || each > ROUNDING || each <= MISSING_LOGPROB);
  if (at >= 0) return { problem: `expected a log-probability of 0 or less for the id at ${at}, received ${logprobs[at]}` };
  const stoppedAt = ids.findIndex((id) => stopIds.includes(id));
  if (stoppedAt >= 0 && stoppedAt < ids.length - 1)
    return { problem: `expected the sequence to end at the stop id ${ids[stoppedAt]}, received ${ids.length - 1 - stoppedAt} more` };
  if (finish === 'stop' && stoppedAt < 0)
    return { problem: `expected the last id to be one of stopIds, received ${ids.at(-1)}; add the model's own end to stopIds` };
  if (finish === 'length' && stoppedAt < 0 && ids.length < maxTokens)
    return { problem: `expected ${maxTokens} ids or a stop id, received ${ids.length}; set contextTokens to the server's` };
  return {
    value: {
      ids,
      logprobs: logprobs.map((each) => Math.min(0, each as number)),
      stopReason: stoppedAt >= 0 ? 'stop' : 'length',
    },
  };
}
