import { createEngine, type ModelConfig } from '@tadpole/embedded-policy';
import { median } from '../runtime/bench-workspace.js';
import { randomTokens } from './random-tokens.js';
import type { TorchProcess } from './torch-process.js';

/** Sampled tokens a second of both sides at one batch size, medians of interleaved rounds. */
export interface SamplingRates {
  readonly batch: number;
  readonly ours: number;
  readonly torch: number;
  /** The way of running PyTorch that was fastest here. */
  readonly variant: string;
}

/** A group of B samples of 128 tokens behind one prompt of 128, prefill included, one thread on both sides. */
export async function* measureSampling(options: {
  torch: TorchProcess;
  config: ModelConfig;
  checkpoint: string;
  batches: readonly number[];
  rounds: number;
}): AsyncGenerator<SamplingRates> {
  const { torch, config, checkpoint, batches, rounds } = options;
  const newTokens = 128;
  const engine = await createEngine({ weights: checkpoint, threads: 1 });
  const prompt = randomTokens({ length: 128, vocabularySize: config.vocabularySize, seed: 7 });
  try {
    const sampler = await engine.createSampler();
    for (const batch of batches) {
      const sample = async (seed: number) => {
        const started = performance.now();
        await sampler.sample({ prompt, count: batch, maxTokens: newTokens, seed });
        return (performance.now() - started) / 1000;
      };
      const prepared = { path: checkpoint, batch, prompt: [...prompt], new_tokens: newTokens, threads: 1 };
      const { variant } = await torch.ask<{ variant: string }>('prepare_sampling', prepared);
      const seconds = { ours: [] as number[], torch: [] as number[] };
      await sample(0);
      for (let round = 0; round < rounds; round += 1) {
        seconds.ours.push(await sample(round));
        seconds.torch.push((await torch.ask<{ seconds: number }>('measure', { what: 'sampling' })).seconds);
      }
      const tokens = batch * newTokens;
      yield { batch, ours: tokens / median(seconds.ours), torch: tokens / median(seconds.torch), variant };
    }
  } finally {
    await engine.close();
  }
}
