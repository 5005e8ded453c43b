import assert from 'node:assert/strict';
import { isTadpoleError, type Sampler, type Sampling } from '@tadpole/contracts';
import type { ConformanceCase } from './conformance-case.js';

/** What every {@link Sampler} must do, as cases for any test runner. That its log-probabilities are the trainer's is checked with the training client. */
export function samplerConformance(options: {
  createSampler: () => Promise<Sampler>;
  /** Token ids that the sampler knows, shorter than its context. */
  prompt: readonly number[];
  /** Tokens of the test continuations. @default 8 */
  maxTokens?: number;
}): ConformanceCase[] {
  const { createSampler, prompt, maxTokens = 8 } = options;
  const sampling: Sampling = { temperature: 1, topP: 1, topK: 0, maxTokens, seed: 11 };
  const draw = async (sampler: Sampler, count: number, change: Partial<Sampling> = {}, stopIds: readonly number[] = []) =>
    sampler.sample({ prompt, count, sampling: { ...sampling, ...change }, stopIds });

  return [
    {
      name: 'gives as many sequences as asked for, each with one finite, non-positive log-probability an id',
      async run() {
        const sequences = await draw(await createSampler(), 3);
        assert.equal(sequences.length, 3);
        for (const { ids, logprobs, stopReason } of sequences) {
          assert.equal(logprobs.length, ids.length);
          assert.equal(ids.length, maxTokens);
          assert.equal(stopReason, 'length');
          assert.ok(
            logprobs.every((logprob) => Number.isFinite(logprob) && logprob <= 1e-4),
            `log-probabilities ${logprobs}`,
          );
        }
      },
    },
    {
      name: 'the same seed gives the same ids and log-probabilities, another seed gives others',
      async run() {
        const sampler = await createSampler();
        const first = await draw(sampler, 4);
        assert.deepEqual(await draw(sampler, 4), first);
        const other = await draw(sampler, 4, { seed: 12 });
        assert.notDeepEqual(
          other.map(({ ids }) => ids),
          first.map(({ ids }) => ids),
        );
      },
    },
    {
      name: 'takes every seed of 32 bits, as the harness draws them',
      async run() {
        const sampler = await createSampler();
        for (const seed of [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]) assert.equal((await draw(sampler, 2, { seed })).length, 2);
      },
    },
    {
      name: 'a sequence does not depend on how many are drawn, nor on what is sampled beside it',
      async run() {
        const sampler = await createSampler();
        const alone = await draw(sampler, 1);
        const [many] = await Promise.all([draw(sampler, 4), draw(sampler, 2, { seed: 99 })]);
        assert.deepEqual(many[0]?.ids, alone[0]?.ids);
        for (const [t, logprob] of (alone[0]?.logprobs ?? []).entries()) {
          assert.ok(Math.abs(logprob - (many[0]?.logprobs[t] ?? Number.NaN)) <= 1e-3);
        }
      },
    },
    {
      name: 'the sequences of one call differ',
      async run() {
        const sequences = await draw(await createSampler(), 4);
        assert.ok(new Set(sequences.map(({ ids }) => ids.join())).size > 1, 'four sequences are equal');
      },
    },
    {
      name: 'ends at a stop id, which it includes',
      async run() {
        const sampler = await createSampler();
        const [free] = await draw(sampler, 1);
        const stop = free?.ids[2] ?? 0;
        const [stopped] = await draw(sampler, 1, {}, [stop]);
        assert.equal(stopped?.stopReason, 'stop');
        assert.deepEqual(stopped?.ids, free?.ids.slice(0, (free?.ids.indexOf(stop) ?? 0) + 1));
      },
    },
    {
      name: 'temperature 0 is greedy: every seed gives the same ids',
      async run() {
        const sampler = await createSampler();
        const greedy = await draw(sampler, 1, { temperature: 0 });
        assert.deepEqual((await draw(sampler, 1, { temperature: 0, seed: 5 }))[0]?.ids, greedy[0]?.ids);
      },
    },
    {
      name: 'refuses a prompt that leaves no room in its context',
      async run() {
        const sampler = await createSampler();
        const id = prompt[0] ?? 0;
        const long = Array.from({ length: sampler.contextTokens + 1 }, () => id);
        await assert.rejects(
          async () => sampler.sample({ prompt: long, count: 1, sampling, stopIds: [] }),
          (error) => isTadpoleError(error) && error.code === 'invalid-input',
        );
      },
    },
    {
      name: 'an aborted signal ends the call with code aborted',
      async run() {
        const sampler = await createSampler();
        await assert.rejects(
          async () => sampler.sample({ prompt, count: 1, sampling, stopIds: [], signal: AbortSignal.abort() }),
          (error) => isTadpoleError(error) && error.code === 'aborted',
        );
      },
    },
  ];
}
