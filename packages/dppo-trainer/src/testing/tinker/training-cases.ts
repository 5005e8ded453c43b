import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { proportionalAdam, succeeded } from './tinker-model.js';
import { assertSameUpdate, datum, distance, onModel, type TinkerSuite, update } from './tinker-suite.js';

const length = 8;
const advantage = (position: number) => (position < 2 ? 0 : 1 + position / 10);

/** Points 3 and 5 to 11 of tinker-protocol.md section 6.4: what training computes. */
export function trainingCases(suite: TinkerSuite): ConformanceCase[] {
  const isSum = suite.traits.lossReduction === 'sum';
  const plain = [datum(suite, length)];
  /** Importance sampling whose ratio is 1: `logprobs` are the current ones. */
  const ratioOne = (current: readonly number[], of: (position: number) => number) =>
    datum(suite, length, { logprobs: (t) => current[t] ?? 0, advantages: of });

  return [
    {
      name: '3: forward gives one finite, non-positive log-probability for each input token',
      run: () =>
        onModel(suite, async (model) => {
          const [logprobs = []] = await model.forward(plain);
          assert.equal(logprobs.length, length);
          assert.ok(
            logprobs.every((value) => Number.isFinite(value) && value <= 1e-4),
            `log-probabilities ${logprobs}`,
          );
        }),
    },
    {
      name: '5: forward changes nothing, also when a step follows',
      run: () =>
        onModel(suite, async (model) => {
          const first = await model.forward(plain);
          assert.equal(distance(first, await model.forward(plain)), 0);
          await model.step();
          assert.ok(distance(first, await model.forward(plain)) < 1e-6);
        }),
    },
    {
      name: '6: the loss of cross-entropy falls over twenty steps',
      run: () =>
        onModel(suite, async (model) => {
          const weighted = [datum(suite, length, { weights: () => 1 })];
          const total = (rows: readonly (readonly number[])[]) => rows.flat().reduce((sum, value) => sum - value, 0);
          const before = total(await model.forward(plain));
          for (let step = 0; step < 20; step += 1) {
            await model.forwardBackward(weighted, 'cross_entropy');
            await model.step({ ...proportionalAdam, learning_rate: 1e-2, eps: 1e-8 });
          }
          const after = total(await model.forward(plain));
          assert.ok(after < before, `the loss went from ${before} to ${after}`);
        }),
    },
    {
      name: '7: importance sampling at the current log-probabilities is cross-entropy with the advantages for weights',
      async run() {
        // A sequence mean divides cross-entropy by the sum of the weights, importance sampling by the length.
        const weights = Array.from({ length }, (_, t) => advantage(t)).reduce((sum, value) => sum + value, 0);
        const scale = isSum ? 1 : length / weights;
        const sampled = await update(suite, {
          plain,
          train: async (model, [current = []]) => {
            await model.forwardBackward([ratioOne(current, (t) => advantage(t) * scale)], 'importance_sampling');
          },
        });
        const weighted = await update(suite, {
          plain,
          train: async (model) => {
            await model.forwardBackward([datum(suite, length, { weights: advantage })], 'cross_entropy');
          },
        });
        assertSameUpdate(sampled, weighted);
      },
    },
    {
      name: '8: advantages of zero change nothing',
      async run() {
        const { before, after } = await update(suite, {
          plain,
          train: async (model, [current = []]) => {
            await model.forwardBackward([ratioOne(current, () => 0)], 'importance_sampling');
          },
        });
        assert.ok(distance(before, after) < 1e-6);
      },
    },
    {
      name: "9: DPPO by masked importance sampling is its closed form, and the server's own where it has one",
      async run() {
        const masked = 4;
        const drift = (t: number) => 0.05 * (t - 3);
        const kept = (t: number) => (t === masked ? 0 : advantage(t));
        const rollout = (current: readonly number[], of: (t: number) => number) =>
          datum(suite, length, { logprobs: (t) => (current[t] ?? 0) - drift(t), advantages: of });
        const importance = await update(suite, {
          plain,
          train: async (model, [current = []]) => {
            await model.forwardBackward([rollout(current, kept)], 'importance_sampling');
          },
        });
        const closed = await update(suite, {
          plain,
          train: async (model, [current = []]) => {
            await model.forwardBackward([ratioOne(current, (t) => kept(t) * Math.exp(drift(t)))], 'importance_sampling');
          },
        });
        assertSameUpdate(importance, closed);
        if (!suite.traits.losses.includes('dppo')) return;
        const own = await update(suite, {
          plain,
          train: async (model, [current = []]) => {
            // The token to be masked was sure to the sampler and is not so now: masked when its advantage is negative.
            const data = datum(suite, length, {
              logprobs: (t) => (t === masked ? 0 : (current[t] ?? 0) - drift(t)),
              advantages: (t) => (t === masked ? -5 : advantage(t)),
            });
            await model.forwardBackward([data], 'dppo', { delta_low: 0.2, delta_high: 0.2 });
          },
        });
        assertSameUpdate(importance, own);
      },
    },
    {
      name: `10: the loss is reduced as declared (${suite.traits.lossReduction})`,
      async run() {
        const first = (scale: number) => (t: number) => (t < 4 ? scale : 0);
        const long = await update(suite, {
          plain,
          train: async (model, [current = []]) => {
            const data = ratioOne(current, first(1));
            await model.forwardBackward([data, data], 'importance_sampling');
          },
        });
        const short = await update(suite, {
          plain,
          train: async (model, [current = []]) => {
            // Sums add two data of equal gradient; a mean of means sees half of the length and one of the data.
            const data = datum(suite, 4, { logprobs: (t) => current[t] ?? 0, advantages: first(isSum ? 2 : 0.5) });
            await model.forwardBackward([data], 'importance_sampling');
          },
        });
        assertSameUpdate(long, short);
      },
    },
    {
      name: '11: a step that is submitted before the gradient is done comes after it',
      async run() {
        const weighted = [datum(suite, length, { weights: () => 1 })];
        const waited = await update(suite, {
          plain,
          train: async (model) => {
            await model.forwardBackward(weighted, 'cross_entropy');
          },
        });
        const pipelined = await onModel(suite, async (model) => {
          const { requests } = suite;
          const gradient = { model_id: model.modelId, forward_backward_input: model.body(weighted, 'cross_entropy'), seq_id: model.next() };
          const first = succeeded(await requests.send('/forward_backward', gradient));
          const step = { model_id: model.modelId, adam_params: proportionalAdam, seq_id: model.next() };
          const second = succeeded(await requests.send('/optim_step', step));
          succeeded(await requests.retrieve(String(second.request_id)));
          succeeded(await requests.retrieve(String(first.request_id)));
          return { after: await model.forward(plain) };
        });
        assertSameUpdate(waited, pipelined);
      },
    },
  ];
}
