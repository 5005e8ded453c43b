import { loadRuntime } from '../../src/engine/load-runtime.js';
import { initialiseWeights } from '../../src/engine/model/initialise-weights.js';
import type { ModelConfig } from '../../src/engine/model/model-config.js';
import { createRandom } from '../../src/engine/random.js';
import type { TrainingSequence } from '../../src/engine/training/batch-feeds.js';
import { createTrainer, type Trainer } from '../../src/engine/training/trainer.js';

/** A model small enough for finite differences. */
export const TINY_MODEL: ModelConfig = { vocabularySize: 37, width: 16, layers: 2, heads: 2, feedForward: 24, contextTokens: 192 };

/** Random token ids [length]. */
export function randomIds(length: number, seed: number, vocabularySize = TINY_MODEL.vocabularySize): Int32Array {
  const random = createRandom(seed);
  return Int32Array.from({ length }, () => Math.floor(random() * vocabularySize));
}

/** The training sequence of a token list: each position predicts the next token. */
export function shifted(ids: Int32Array): TrainingSequence {
  return { inputs: ids.slice(0, -1), targets: ids.slice(1) };
}

/** A trainer of the tiny model on the test's own thread. */
export async function tinyTrainer({ seed = 1, tokenBudget = 2048 } = {}): Promise<Trainer> {
  const runtime = await loadRuntime();
  return createTrainer({ runtime, config: TINY_MODEL, weights: initialiseWeights(TINY_MODEL, seed), threads: 1, tokenBudget });
}
