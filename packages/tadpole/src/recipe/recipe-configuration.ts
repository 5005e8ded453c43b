import { type Configuration, parseConfiguration } from '../run/configuration.js';
import { recipeRepositories } from './recipe-repositories.js';

/** Names of the recipe's sizes. */
export type Budget = 'small' | 'full';

// What ends a hanging test is its processor time, which a busy machine does not change; wall times are a last resort.
const full: Configuration = {
  seed: 0,
  repositories: recipeRepositories,
  heldOut: { tasks: 200, samplesPerTask: 1 },
  iterations: 2,
  synthesis: { tasks: 32, candidates: 112, rollouts: 400, statementRung: 'quoted-line', testTimeoutMs: 60_000 },
  // The prior is the likeliest one for 50 training tasks that the base was measured on; under it and this price a task is given up
  // after four failures.
  calibration: { band: [0.1, 0.9], prior: [0.25, 1.75], wave: 2, maxTrials: 8, falseAcceptCost: 0.75, rolloutCost: 0.02 },
  training: {
    updatesPerIteration: 10,
    groupsPerUpdate: 8,
    groupSize: 8,
    learningRate: 4e-4,
    beta1: 0.9,
    beta2: 0.98,
    weightDecay: 0.1,
    gradientClip: 1,
    minibatches: 2,
    epochs: 1,
    deltaLow: 0.2,
    deltaHigh: 0.2,
    lengthTermFromIteration: 2,
    maxUnscoredShare: 0.1,
  },
  sampling: { temperature: 1, topP: 1, maxTokensPerTurn: 96 },
  agent: {
    maxTurns: 3,
    wallTimeMs: 600_000,
    limits: {
      processes: 64,
      memoryBytes: 768 * 2 ** 20,
      cpuSeconds: 4,
      timeoutMs: 60_000,
      fileBytes: 16 * 2 ** 20,
      writtenBytes: 128 * 2 ** 20,
      writtenFiles: 20_000,
      outputBytes: 256 * 2 ** 10,
    },
  },
  concurrency: { rollouts: 64, grading: 2, validation: 2 },
};

const small: Configuration = {
  ...full,
  heldOut: { tasks: 32, samplesPerTask: 1 },
  iterations: 1,
  synthesis: { ...full.synthesis, tasks: 10, candidates: 40, rollouts: 128 },
  training: { ...full.training, updatesPerIteration: 4 },
};

/** The configuration of a budget: `full` for the result, `small` to see that everything runs. */
export function recipeConfiguration(budget: Budget): Configuration {
  return parseConfiguration({ value: budget === 'full' ? full : small, source: `budget ${budget}` });
}
