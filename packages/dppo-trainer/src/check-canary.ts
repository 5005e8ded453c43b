import { type Sampler, TadpoleError, type TrainingClient } from '@tadpole/contracts';

/** What a canary measured; give it to the next one as `previous`. Arrays are [T] over the sampled ids. */
export interface CanaryReading {
  readonly weightsVersion: string;
  readonly prompt: readonly number[];
  readonly ids: readonly number[];
  readonly samplerLogprobs: readonly number[];
  readonly trainerLogprobs: readonly number[];
}

/**
 * - `sampler-differs`: the sampler's log-probabilities are not the trainer's, so it does not hold these weights
 *   or computes otherwise
 * - `sampler-stale`: it gives exactly what the previous sampler gave, while the trainer has moved
 * - `weights-unchanged`: the trainer gives exactly what it gave before the update
 * - `version-unchanged`: the sampler carries the previous sampler's `weightsVersion`
 */
export type CanaryAlarm = 'sampler-differs' | 'sampler-stale' | 'weights-unchanged' | 'version-unchanged';

/** Result of {@link checkCanary}; all is well when `alarms` is empty. */
export interface CanaryReport {
  readonly alarms: readonly { readonly kind: CanaryAlarm; readonly detail: string }[];
  /** Largest |sampler - trainer| over the sampled ids, in nats. */
  readonly maxDifference: number;
  readonly reading: CanaryReading;
}

/**
 * Compares a new sampler with the trainer after a weight sync: samples a short continuation and scores the
 * same ids with the trainer's forward. With `previous` it also notices a sync that did not happen and an
 * update that changed nothing, however small the learning rate.
 *
 * @param options.previous - the reading before the last update; give it only when that update took a step
 * with a gradient, with the same prompt and seed.
 * @throws TadpoleError `invalid-input` for an empty prompt or another prompt than the previous reading's;
 * `engine` when the sampler gives no token, or not a log-probability for each.
 */
export async function checkCanary(options: {
  client: TrainingClient;
  sampler: Sampler;
  prompt: readonly number[];
  /** @default none, so that the continuation has its full length */
  stopIds?: readonly number[];
  seed: number;
  /** @default 16 */
  maxTokens?: number;
  /** Largest acceptable difference in nats; single-precision engines stay below 1e-3. @default 1e-3 */
  tolerance?: number;
  previous?: CanaryReading;
  signal?: AbortSignal;
}): Promise<CanaryReport> {
  const { client, sampler, prompt, stopIds = [], seed, maxTokens = 16, tolerance = 1e-3, previous, signal } = options;
  if (prompt.length === 0) throw new TadpoleError({ code: 'invalid-input', message: 'Expected a canary prompt of at least one token.' });
  if (previous && !isSame(previous.prompt, prompt)) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: 'Expected the prompt of the previous reading; a canary compares like with like.',
    });
  }
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens, seed };
  const [sequence] = await sampler.sample({ prompt, count: 1, sampling, stopIds, signal });
  if (!sequence || sequence.ids.length === 0) {
    throw new TadpoleError({
      code: 'engine',
      message: `Expected the sampler to continue a prompt of ${prompt.length} tokens, got nothing.`,
    });
  }
  if (sequence.logprobs.length !== sequence.ids.length) {
    throw new TadpoleError({
      code: 'engine',
      message: `Expected a log-probability for each of ${sequence.ids.length} sampled ids, got ${sequence.logprobs.length}.`,
    });
  }
  const score = (ids: readonly number[]) => scoreContinuation({ client, prompt, ids, signal });
  const trainerLogprobs = await score(sequence.ids);
  const maxDifference = Math.max(...sequence.logprobs.map((logprob, t) => Math.abs(logprob - (trainerLogprobs[t] ?? Number.NaN))));
  const alarms: { kind: CanaryAlarm; detail: string }[] = [];
  if (!(maxDifference <= tolerance)) {
    alarms.push({ kind: 'sampler-differs', detail: `Sampler and trainer differ by up to ${maxDifference} nats, tolerance ${tolerance}.` });
  }
  if (previous) {
    const trainerNow = isSame(previous.ids, sequence.ids) ? trainerLogprobs : await score(previous.ids);
    const moved = !isSame(trainerNow, previous.trainerLogprobs);
    if (!moved) alarms.push({ kind: 'weights-unchanged', detail: 'The trainer gives the log-probabilities it gave before the update.' });
    if (moved && isSame(sequence.ids, previous.ids) && isSame(sequence.logprobs, previous.samplerLogprobs)) {
      alarms.push({ kind: 'sampler-stale', detail: 'The sampler gives what the previous one gave, but the trainer has moved.' });
    }
    if (sampler.weightsVersion === previous.weightsVersion) {
      alarms.push({ kind: 'version-unchanged', detail: `The sampler still carries weights version ${sampler.weightsVersion}.` });
    }
  }
  const reading = {
    weightsVersion: sampler.weightsVersion,
    prompt,
    ids: sequence.ids,
    samplerLogprobs: sequence.logprobs,
    trainerLogprobs,
  };
  return { alarms, maxDifference, reading };
}

async function scoreContinuation(options: {
  client: TrainingClient;
  prompt: readonly number[];
  ids: readonly number[];
  signal?: AbortSignal;
}): Promise<number[]> {
  const { client, prompt, ids, signal } = options;
  const whole = [...prompt, ...ids];
  const datum = { inputs: Int32Array.from(whole.slice(0, -1)), targets: Int32Array.from(whole.slice(1)) };
  const [forward] = await client.forward({ data: [datum], signal });
  return [...(forward?.logprobs ?? [])].slice(prompt.length - 1);
}

function isSame(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}
