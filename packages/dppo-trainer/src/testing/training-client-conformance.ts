import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Datum, OptimizerSettings, TrainingClient } from '@tadpole/contracts';
import type { ConformanceCase } from './conformance-case.js';
import { engineLossCase } from './engine-loss-case.js';

/**
 * What every {@link TrainingClient} must do, as cases for any test runner. `createClient` must give an engine
 * with the same weights every time.
 */
export function trainingClientConformance(options: {
  createClient: () => Promise<TrainingClient>;
  /** At least two sequences of at least three token ids that the engine knows. */
  sequences: readonly (readonly number[])[];
  /** A fresh folder for each call. */
  createDirectory: () => Promise<string>;
  /** Largest difference in nats between two computations of one log-probability. @default 1e-4 */
  tolerance?: number;
  /** Of the test steps: large enough to move log-probabilities beyond the tolerance. @default 0.01 */
  learningRate?: number;
}): ConformanceCase[] {
  const { createClient, sequences, createDirectory, tolerance = 1e-4, learningRate = 0.01 } = options;
  const data = sequences.map(toDatum);
  const ones = data.map(({ targets }) => Float64Array.from(targets, () => -1 / targets.length));
  const zeros = data.map(({ targets }) => new Float64Array(targets.length));
  const settings: OptimizerSettings = { learningRate, weightDecay: 0, gradientClip: 0 };
  /** `undefined` for an engine that does not tell, whose steps are compared by what they do. */
  const normOf = async (client: TrainingClient, step: OptimizerSettings) => (await client.optimStep(step)).gradientNorm;
  const score = async (client: TrainingClient) => (await client.forward({ data })).map(({ logprobs }) => [...logprobs]);

  return [
    {
      name: 'forward gives one finite, non-positive log-probability for every target',
      async run() {
        const scores = await score(await createClient());
        assert.deepEqual(
          scores.map((row) => row.length),
          data.map(({ targets }) => targets.length),
        );
        assert.ok(
          scores.flat().every((logprob) => Number.isFinite(logprob) && logprob <= tolerance),
          'a log-probability is not finite or above 0',
        );
      },
    },
    {
      name: 'forward changes nothing and forwardBackward returns the log-probabilities of forward',
      async run() {
        const client = await createClient();
        const before = await score(client);
        const during = await client.forwardBackward({ data, gradients: ones });
        assertClose(
          during.map(({ logprobs }) => [...logprobs]),
          before,
          tolerance,
        );
        assertClose(await score(client), before, tolerance);
      },
    },
    {
      name: 'a step along the negative log-likelihood raises the likelihood of the data',
      async run() {
        const client = await createClient();
        const before = sum(await score(client));
        for (let step = 0; step < 3; step += 1) {
          await client.forwardBackward({ data, gradients: ones });
          await client.optimStep(settings);
        }
        const after = sum(await score(client));
        assert.ok(after > before + tolerance, `likelihood went from ${before} to ${after}`);
      },
    },
    {
      name: 'gradients of successive calls add up until the step',
      async run() {
        const together = await createClient();
        await together.forwardBackward({ data, gradients: ones });
        const apart = await createClient();
        for (const [i, datum] of data.entries()) {
          await apart.forwardBackward({ data: [datum], gradients: [ones[i] ?? new Float64Array()] });
        }
        const [left = 0, right = 0] = [await normOf(together, settings), await normOf(apart, settings)];
        assert.ok(Math.abs(left - right) <= 1e-3 * left, `gradient norms ${left} and ${right}`);
        assertClose(await score(apart), await score(together), 10 * tolerance);
      },
    },
    {
      name: 'calls made without waiting are carried out in order',
      async run() {
        const waiting = await createClient();
        await waiting.forwardBackward({ data, gradients: ones });
        await waiting.optimStep(settings);
        const expected = await score(waiting);
        const eager = await createClient();
        const [, , after] = await Promise.all([eager.forwardBackward({ data, gradients: ones }), eager.optimStep(settings), score(eager)]);
        assertClose(after, expected, tolerance);
        const late = eager.forwardBackward({ data, gradients: ones });
        const step = eager.optimStep(settings);
        await Promise.all([late, step]);
        await waiting.forwardBackward({ data, gradients: ones });
        await waiting.optimStep(settings);
        assertClose(await score(eager), await score(waiting), 10 * tolerance);
      },
    },
    engineLossCase({ createClient, data, settings, tolerance: 10 * tolerance }),
    {
      name: 'the step clears the gradient',
      async run() {
        const client = await createClient();
        await client.forwardBackward({ data, gradients: ones });
        assert.ok(((await normOf(client, settings)) ?? 1) > 0);
        await client.forwardBackward({ data, gradients: zeros });
        assert.equal((await normOf(client, settings)) ?? 0, 0);
      },
    },
    {
      name: 'twice the gradient has twice the norm',
      async run() {
        const client = await createClient();
        await client.forwardBackward({ data, gradients: ones });
        const once = (await normOf(client, { ...settings, learningRate: 0 })) ?? 0;
        await client.forwardBackward({ data, gradients: ones.map((row) => row.map((value) => 2 * value)) });
        const twice = (await normOf(client, { ...settings, learningRate: 0 })) ?? 0;
        assert.ok(Math.abs(twice - 2 * once) <= 1e-3 * once, `norms ${once} and ${twice}`);
      },
    },
    {
      name: 'a saved state, loaded into another client, continues as the original does',
      async run() {
        const directory = join(await createDirectory(), 'state');
        const original = await createClient();
        await original.forwardBackward({ data, gradients: ones });
        await original.optimStep(settings);
        await original.saveState(directory);
        const copy = await createClient();
        await copy.loadState(directory);
        const { deterministic } = await original.capabilities();
        const compare = async () => {
          const [left, right] = [await score(original), await score(copy)];
          if (deterministic) assert.deepEqual(right, left);
          else assertClose(right, left, tolerance);
        };
        await compare();
        for (const client of [original, copy]) {
          await client.forwardBackward({ data, gradients: ones });
          await client.optimStep(settings);
        }
        await compare();
      },
    },
    {
      name: 'a sampler agrees with forward, and stays as it was when training goes on',
      async run() {
        const client = await createClient();
        const sampler = await client.createSampler();
        const prompt = (sequences[0] ?? []).slice(0, 2);
        const draw = async () => {
          const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 4, seed: 3 };
          const [sequence] = await sampler.sample({ prompt, count: 1, sampling, stopIds: [] });
          assert.ok(sequence, 'the sampler gave no sequence');
          return sequence;
        };
        const before = await draw();
        const [forward] = await client.forward({ data: [toDatum([...prompt, ...before.ids])] });
        const scored = [...(forward?.logprobs ?? [])].slice(prompt.length - 1);
        assertClose([scored], [[...before.logprobs]], Math.max(tolerance, 1e-3));
        await client.forwardBackward({ data, gradients: ones });
        await client.optimStep(settings);
        if ((await client.capabilities()).samplerIsSnapshot ?? true) assert.deepEqual(await draw(), before);
        else await assert.rejects(draw, { code: 'unsupported' }, 'a sampler that is no snapshot was sampled after a step');
        assert.notEqual((await client.createSampler()).weightsVersion, sampler.weightsVersion);
      },
    },
  ];
}

function toDatum(ids: readonly number[]): Datum {
  return { inputs: Int32Array.from(ids.slice(0, -1)), targets: Int32Array.from(ids.slice(1)) };
}

function sum(rows: readonly (readonly number[])[]): number {
  return rows.flat().reduce((total, value) => total + value, 0);
}

function assertClose(actual: readonly (readonly number[])[], expected: readonly (readonly number[])[], tolerance: number): void {
  for (const [i, row] of expected.entries()) {
    for (const [t, value] of row.entries()) {
      const got = actual[i]?.[t] ?? Number.NaN;
      assert.ok(Math.abs(got - value) <= tolerance, `sequence ${i}, token ${t}: ${got} instead of ${value}`);
    }
  }
}
