import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { succeeded } from './tinker-model.js';
import { isRefused, type TinkerAnswer } from './tinker-requests.js';
import { datum, distance, onModel, type TinkerSuite } from './tinker-suite.js';

function assertRefused(what: string, answer: TinkerAnswer): void {
  assert.ok(isRefused(answer), `expected ${what} to be refused, came ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Points 1, 2, 12 to 14 and 19: sessions, numbers of requests, errors, checkpoints. */
export function serviceCases(suite: TinkerSuite): ConformanceCase[] {
  const { requests, traits } = suite;
  return [
    {
      name: '1: tells its models, keeps a session alive, and does not know a session that nobody made',
      async run() {
        const { supported_models } = succeeded(await requests.send('/get_server_capabilities')) as {
          supported_models: { model_name: string }[];
        };
        assert.ok(
          supported_models.some(({ model_name }) => model_name === suite.baseModel),
          JSON.stringify(supported_models),
        );
        const { session_id } = succeeded(
          await requests.send('/create_session', { tags: [], user_metadata: null, sdk_version: '0.38.0', type: 'create_session' }),
        );
        succeeded(await requests.send('/session_heartbeat', { session_id, type: 'session_heartbeat' }));
        const unknown = await requests.send('/session_heartbeat', { session_id: 'session_00000000', type: 'session_heartbeat' });
        assert.equal(unknown.status, 404);
      },
    },
    { name: '2: the result of create_model names the model', run: () => onModel(suite, async ({ modelId }) => assert.match(modelId, /./)) },
    {
      name: traits.seqIdDedup
        ? '12: a request sent again is the same request; another body under its number is refused'
        : '12: does not know a request that is sent again, as declared',
      run: () =>
        onModel(suite, async (model) => {
          const seq_id = model.next();
          const forward = (length: number) =>
            requests.send('/forward', {
              model_id: model.modelId,
              forward_input: model.body([datum(suite, length)], 'cross_entropy'),
              seq_id,
            });
          const first = succeeded(await forward(8));
          const again = succeeded(await forward(8));
          if (traits.seqIdDedup) {
            assert.equal(again.request_id, first.request_id);
            assert.equal((await forward(4)).status, 409);
          } else assert.notEqual(again.request_id, first.request_id);
          succeeded(await requests.retrieve(String(first.request_id)));
          succeeded(await requests.retrieve(String(again.request_id)));
        }),
    },
    {
      name: '13: refuses unknown losses and futures, a loss it does not have, and sampling without max_tokens or with mixed stops',
      run: () =>
        onModel(suite, async (model) => {
          const inputs = [datum(suite, 8, { logprobs: () => -1, advantages: () => 0 })];
          const train = (loss: string, config?: Record<string, number>) =>
            requests.finish('/forward_backward', {
              model_id: model.modelId,
              forward_backward_input: model.body(inputs, loss, config),
              seq_id: model.next(),
            });
          assertRefused('an unknown loss', await train('no_such_loss'));
          assertRefused('an unknown key of a loss', await train('ppo', { no_such_key: 1 }));
          if (!traits.losses.includes('dppo')) assertRefused('dppo', await train('dppo', { delta_low: 0.2, delta_high: 0.2 }));
          assertRefused(
            'an unknown model',
            await requests.finish('/forward', {
              model_id: 'model_00000000',
              forward_input: model.body(inputs, 'cross_entropy'),
              seq_id: 1,
            }),
          );
          assert.equal((await requests.send('/retrieve_future', { request_id: '999999999' })).status, 404);
          const sample = {
            base_model: suite.baseModel,
            prompt: { chunks: [{ type: 'encoded_text', tokens: suite.tokens.slice(0, 4) }] },
            num_samples: 1,
            type: 'sample',
          };
          assertRefused('no max_tokens', await requests.finish('/asample', { ...sample, sampling_params: { temperature: 1 } }));
          assertRefused(
            'mixed stops',
            await requests.finish('/asample', { ...sample, sampling_params: { max_tokens: 4, stop: [1, 'a'] } }),
          );
        }),
    },
    {
      name: `14: a new model continues from saved weights; loading later is ${traits.loadFirstOnly ? 'refused' : 'allowed, as declared'}`,
      async run() {
        const plain = [datum(suite, 8)];
        await onModel(suite, async (source) => {
          await source.forwardBackward([datum(suite, 8, { weights: () => 1 })], 'cross_entropy');
          await source.step();
          const saved = succeeded(
            await requests.finish('/save_weights', {
              model_id: source.modelId,
              path: suite.name(),
              seq_id: source.next(),
              type: 'save_weights',
            }),
          );
          const expected = await source.forward(plain);
          await onModel(suite, async (model) => {
            const load = () =>
              requests.finish('/load_weights', {
                model_id: model.modelId,
                path: saved.path,
                optimizer: true,
                seq_id: model.next(),
                type: 'load_weights',
              });
            succeeded(await load());
            assert.ok(distance(expected, await model.forward(plain)) < 1e-5);
            const later = await load();
            if (traits.loadFirstOnly) assert.equal(later.status, 400);
            else succeeded(later);
          });
        });
      },
    },
    {
      name: '19: a model that was unloaded is not known any more',
      async run() {
        const modelId = await onModel(suite, async (model) => model.modelId);
        const forward_input = { data: [], loss_fn: 'cross_entropy' };
        assertRefused('an unloaded model', await requests.finish('/forward', { model_id: modelId, forward_input, seq_id: 99 }));
      },
    },
  ];
}
