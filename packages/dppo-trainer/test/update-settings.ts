import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrainingClient } from '@tadpole/contracts';
import { afterAll, expect } from 'vitest';
import type { UpdateOptions } from '../src/index.js';
import { batchOf, createClient, createRandom, optimizer, rollOut } from './bigram-rollouts.js';

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))));

export async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tadpole-update-'));
  directories.push(directory);
  return directory;
}

/** Weights and optimizer state as text, so that equal means equal in every bit. */
export async function stateOf(client: TrainingClient): Promise<string> {
  const directory = await createDirectory();
  await client.saveState(directory);
  return readFile(join(directory, 'bigram.json'), 'utf8');
}

export const weightsOf = async (client: TrainingClient): Promise<number[]> => JSON.parse(await stateOf(client)).logits;
export const makeBatch = async (count = 12) => batchOf(await rollOut(createClient(), { count, seed: 5 }));
const large = { ...optimizer, learningRate: 0.5 };

type Shared = Pick<UpdateOptions, 'batch' | 'loss'> & Partial<UpdateOptions>;
export const settings = (given: Shared) => ({ optimizer: large, minibatches: 3, epochs: 2, random: createRandom(), ...given });

export function expectNear(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(actual).toHaveLength(expected.length);
  const worst = expected.reduce((largest, value, i) => Math.max(largest, Math.abs(value - (actual[i] ?? Number.NaN))), 0);
  expect(worst).toBeLessThanOrEqual(tolerance);
}
