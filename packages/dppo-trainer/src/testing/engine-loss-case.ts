import assert from 'node:assert/strict';
import type { Datum, Loss, OptimizerSettings, TrainingClient } from '@tadpole/contracts';
import { cispo } from '../loss/cispo.js';
import { dppoBinaryTv } from '../loss/dppo-binary-tv.js';
import { importanceSampling } from '../loss/importance-sampling.js';
import { ppoClip } from '../loss/ppo-clip.js';
import type { ConformanceCase } from './conformance-case.js';

/** Deltas and bounds at which the first tokens of the case's data are held and the others are not. */
const LOSSES: readonly Loss[] = [
  importanceSampling({ aggregation: 'sum' }),
  ppoClip({ aggregation: 'sum' }),
  cispo({ aggregation: 'sum', clipLow: 0.8, clipHigh: 1.2 }),
  dppoBinaryTv({ aggregation: 'sum', deltaLow: 1e-4, deltaHigh: 1e-4 }),
];

/**
 * That a loss of the engine's own moves the weights as the trainer's loss does through its gradient. An engine that takes no gradient
 * is held to the shape of the answers alone; losses that the trainer does not know are left alone.
 */
export function engineLossCase(options: {
  createClient: () => Promise<TrainingClient>;
  data: readonly Datum[];
  settings: OptimizerSettings;
  tolerance: number;
}): ConformanceCase {
  const { createClient, data, settings, tolerance } = options;
  return {
    name: 'a loss of its own steps as the gradient of that loss does',
    async run() {
      const { losses = [], customLoss } = await (await createClient()).capabilities();
      const hasMethod = (await createClient()).forwardBackwardLoss !== undefined;
      assert.equal(hasMethod, losses.length > 0, 'forwardBackwardLoss is there exactly where capabilities lists losses');
      for (const loss of LOSSES) {
        const { engineLoss } = loss;
        if (!engineLoss || !losses.includes(engineLoss.name)) continue;
        const native = await createClient();
        const logprobs = (await native.forward({ data })).map((forward) => forward.logprobs);
        const inputs = logprobs.map(drawInputs);
        const answers = await native.forwardBackwardLoss?.({ data, loss: engineLoss, inputs });
        assert.deepEqual(
          answers?.map((answer) => answer.logprobs.length),
          data.map(({ targets }) => targets.length),
        );
        await native.optimStep(settings);
        if (!customLoss) continue;
        const own = await createClient();
        const gradients = inputs.map((row, i) => loss({ ...row, logprobs: logprobs[i] ?? [], mask: row.advantages.map(() => 1) }).gradient);
        await own.forwardBackward({ data, gradients, logprobs });
        await own.optimStep(settings);
        assertEqualScores(await own.forward({ data }), await native.forward({ data }), { tolerance, name: engineLoss.name });
      }
    },
  };
}

/** Ratios of 3/2 and 2/3 in turn, under advantages of both signs; the sampler's probability is never above 1. */
function drawInputs(logprobs: Float32Array) {
  const rolloutLogprobs = logprobs.map((logprob, t) => Math.min(0, logprob + (t % 2 === 0 ? -1 : 1) * Math.log(1.5)));
  return { rolloutLogprobs, advantages: logprobs.map((_, t) => (t % 4 < 2 ? 1 : -0.5) / logprobs.length) };
}

function assertEqualScores(
  actual: readonly { logprobs: Float32Array }[],
  expected: readonly { logprobs: Float32Array }[],
  { tolerance, name }: { tolerance: number; name: string },
): void {
  for (const [i, { logprobs }] of expected.entries()) {
    for (const [t, value] of logprobs.entries()) {
      const got = actual[i]?.logprobs[t] ?? Number.NaN;
      assert.ok(Math.abs(got - value) <= tolerance, `${name}, sequence ${i}, token ${t}: ${got} instead of ${value}`);
    }
  }
}
