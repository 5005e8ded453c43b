import { createEngine, type ModelConfig } from '@tadpole/embedded-policy';
import { median } from '../runtime/bench-workspace.js';
import { randomTokens } from './random-tokens.js';
import type { TorchProcess } from './torch-process.js';

/** Training tokens a second of both sides, medians of interleaved rounds. */
export interface TrainingRates {
  readonly ours: number;
  readonly torch: number;
  /** The way of running PyTorch that was fastest here. */
  readonly variant: string;
}

/** Forward, backward and AdamW on 16 sequences of 512 tokens; the engine's way to its process and back is included. */
export async function measureTraining(options: {
  torch: TorchProcess;
  config: ModelConfig;
  checkpoint: string;
  threads: number;
  rounds: number;
}): Promise<TrainingRates> {
  const { torch, config, checkpoint, threads, rounds } = options;
  const [count, length] = [16, 512];
  const engine = await createEngine({ weights: checkpoint, threads });
  const sequences = Array.from({ length: count }, (_, seed) => {
    const ids = randomTokens({ length: length + 1, vocabularySize: config.vocabularySize, seed });
    return { inputs: ids.slice(0, -1), targets: ids.slice(1) };
  });
  const logprobGradients = sequences.map(() => new Float32Array(length).fill(-1 / (count * length)));
  const step = async () => {
    const started = performance.now();
    await engine.forwardBackward({ sequences, logprobGradients });
    await engine.optimStep({ learningRate: 1e-4 });
    return (performance.now() - started) / 1000;
  };
  try {
    const prepared = { path: checkpoint, sequences: count, length, threads };
    const { variant } = await torch.ask<{ variant: string }>('prepare_training', prepared);
    const seconds = { ours: [] as number[], torch: [] as number[] };
    await step();
    for (let round = 0; round < rounds; round += 1) {
      seconds.ours.push(await step());
      seconds.torch.push((await torch.ask<{ seconds: number }>('measure', { what: 'training' })).seconds);
    }
    const tokens = count * length;
    return { ours: tokens / median(seconds.ours), torch: tokens / median(seconds.torch), variant };
  } finally {
    await engine.close();
  }
}
