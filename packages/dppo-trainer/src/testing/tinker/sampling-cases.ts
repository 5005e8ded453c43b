import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { type RawModel, succeeded } from './tinker-model.js';
import { isRefused } from './tinker-requests.js';
import { datum, distance, onModel, type TinkerSuite } from './tinker-suite.js';

interface Sampled {
  readonly sequences: readonly { readonly stop_reason: string; readonly tokens: readonly number[]; readonly logprobs: readonly number[] }[];
  readonly prompt_logprobs?: readonly (number | null)[] | null;
}

/** Points 4 and 15 to 18: what a sampler gives, and whether it is frozen. */
export function samplingCases(suite: TinkerSuite): ConformanceCase[] {
  const { requests, traits } = suite;
  const prompt = suite.tokens.slice(0, 4);
  const body = (params: object, more: object) => ({
    prompt: { chunks: [{ type: 'encoded_text', tokens: prompt }] },
    num_samples: 1,
    sampling_params: { max_tokens: 8, seed: 3, temperature: 1, ...params },
    type: 'sample',
    ...more,
  });
  const draw = async (params: object, more: object) =>
    succeeded(await requests.finish('/asample', body(params, more))) as unknown as Sampled;
  const train = async (model: RawModel) => {
    await model.forwardBackward([datum(suite, 8, { weights: () => 1 })], 'cross_entropy');
    await model.step();
  };

  return [
    {
      name: '4: log-probabilities of sampling are the ones of forward',
      run: () =>
        onModel(suite, async (model) => {
          await train(model);
          const [sequence] = (await draw({}, { model_path: await model.saveSampler(suite.name()) })).sequences;
          assert.ok(sequence);
          const whole = [...prompt, ...sequence.tokens];
          const [logprobs = []] = await model.forward([{ inputs: whole.slice(0, -1), targets: whole.slice(1), extra: {} }]);
          const differences = sequence.logprobs.map((value, t) => Math.abs(value - (logprobs[prompt.length - 1 + t] ?? Number.NaN)));
          assert.ok(differences.reduce((sum, value) => sum + value, 0) / differences.length < 1e-2, `differences ${differences}`);
        }),
    },
    {
      name: '15: named and ephemeral samplers hold to length, seed and stop tokens, which they return',
      run: () =>
        onModel(suite, async (model) => {
          const path = { model_path: await model.saveSampler(suite.name()) };
          const [first] = (await draw({}, path)).sequences;
          assert.ok(first);
          assert.deepEqual([first.tokens.length, first.logprobs.length, first.stop_reason], [8, 8, 'length']);
          assert.deepEqual((await draw({}, path)).sequences[0]?.tokens, first.tokens);
          const several = (await draw({}, { ...path, num_samples: 4 })).sequences;
          assert.equal(new Set(several.map(({ tokens }) => tokens.join())).size, 4);
          const stop = first.tokens[3] ?? 0;
          const [stopped] = (await draw({ stop: [stop] }, path)).sequences;
          assert.deepEqual([stopped?.stop_reason, stopped?.tokens], ['stop', first.tokens.slice(0, first.tokens.indexOf(stop) + 1)]);
          const ephemeral = { model_id: model.modelId, sampling_session_seq_id: 0, seq_id: model.next(), type: 'save_weights_for_sampler' };
          const { sampling_session_id } = succeeded(await requests.finish('/save_weights_for_sampler', ephemeral));
          assert.deepEqual((await draw({}, { sampling_session_id, seq_id: 1 })).sequences[0]?.tokens, first.tokens);
        }),
    },
    {
      name: `16: prompt_logprobs ${traits.promptLogprobsLeadingNull ? 'begin with null' : 'leave the null out, as declared'}`,
      async run() {
        const { prompt_logprobs } = await draw({ max_tokens: 1 }, { base_model: suite.baseModel, prompt_logprobs: true });
        assert.equal(prompt_logprobs?.length, prompt.length - (traits.promptLogprobsLeadingNull ? 0 : 1));
        assert.equal(prompt_logprobs?.[0] === null, traits.promptLogprobsLeadingNull);
      },
    },
    {
      name: `17: the most likely tokens of a prompt are ${traits.topkPromptLogprobs ? 'given' : 'refused or left out, as declared'}`,
      async run() {
        const answer = await requests.finish(
          '/asample',
          body({ max_tokens: 1 }, { base_model: suite.baseModel, prompt_logprobs: true, topk_prompt_logprobs: 3 }),
        );
        // SkyRL 0.3.0 on JAX answers as if they had not been asked for.
        if (!traits.topkPromptLogprobs)
          assert.ok(isRefused(answer) || answer.body.topk_prompt_logprobs == null, JSON.stringify(answer.body));
        else assert.equal((succeeded(answer).topk_prompt_logprobs as unknown[]).length, prompt.length);
      },
    },
    {
      name: traits.samplerIsSnapshot
        ? '18: an old sampler stays as it was and leaves the weights in training alone'
        : '18: an old sampler overwrites the weights in training, as declared',
      run: () =>
        onModel(suite, async (model) => {
          const plain = [datum(suite, 8)];
          const old = await model.saveSampler(suite.name());
          await draw({}, { model_path: old });
          await train(model);
          await draw({}, { model_path: await model.saveSampler(suite.name()) });
          const trained = await model.forward(plain);
          await draw({}, { model_path: old });
          const moved = distance(trained, await model.forward(plain));
          if (traits.samplerIsSnapshot) assert.equal(moved, 0);
          else assert.ok(moved > 1e-4, `expected the weights to have moved, as declared; they moved by ${moved}`);
        }),
    },
  ];
}
