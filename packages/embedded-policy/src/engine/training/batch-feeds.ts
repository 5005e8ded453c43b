import { TadpoleError } from '@tadpole/contracts';
import type { ModelConfig } from '../model/model-config.js';
import type { MicroBatch } from './micro-batches.js';

/** One training sequence: the token at each position and the one that follows it, both [T]. */
export interface TrainingSequence {
  readonly inputs: Int32Array;
  readonly targets: Int32Array;
}

/** Where a chosen row of a micro-batch comes from. */
export interface ChosenRow {
  readonly sequence: number;
  readonly position: number;
}

/** Token-level arrays of one micro-batch; N = B·T padded positions, R chosen rows. */
export interface BatchFeeds {
  /** [N], padded with 0: the causal mask keeps padding away from every real position. */
  readonly tokens: Int32Array;
  /** [R] index into N. */
  readonly rows: Int32Array;
  /** [R] target ids. */
  readonly targets: Int32Array;
  /** [N] index into R, R where not chosen. */
  readonly inverseRows: Int32Array;
  readonly origins: readonly ChosenRow[];
}

/** Lays a micro-batch out. `isChosen` says at which positions the log-probability is wanted; at least one must be. */
export function batchFeeds(sequences: readonly TrainingSequence[], batch: MicroBatch, isChosen: (row: ChosenRow) => boolean): BatchFeeds {
  const tokens = new Int32Array(batch.indices.length * batch.length);
  const origins: ChosenRow[] = [];
  const rows: number[] = [];
  const targets: number[] = [];
  batch.indices.forEach((sequence, place) => {
    const { inputs, targets: next } = sequences[sequence]!;
    tokens.set(inputs, place * batch.length);
    for (let position = 0; position < inputs.length; position++) {
      const origin = { sequence, position };
      if (!isChosen(origin)) continue;
      origins.push(origin);
      rows.push(place * batch.length + position);
      targets.push(next[position]!);
    }
  });
  const inverseRows = new Int32Array(tokens.length).fill(rows.length);
  rows.forEach((row, index) => {
    inverseRows[row] = index;
  });
  return { tokens, rows: Int32Array.from(rows), targets: Int32Array.from(targets), inverseRows, origins };
}

/** Refuses sequences that do not fit the model. Throws `invalid-input` with which and why. */
export function assertSequences(sequences: readonly TrainingSequence[], config: ModelConfig): void {
  sequences.forEach(({ inputs, targets }, index) => {
    const refuse = (message: string) => new TadpoleError({ code: 'invalid-input', message: `sequence ${index}: ${message}` });
    if (inputs.length !== targets.length) throw refuse(`expected as many targets as inputs, got ${targets.length} and ${inputs.length}`);
    if (inputs.length < 1 || inputs.length > config.contextTokens) {
      throw refuse(`expected 1 to ${config.contextTokens} tokens, got ${inputs.length}; split or cut it`);
    }
    const isWrong = (id: number) => id < 0 || id >= config.vocabularySize;
    const wrong = inputs.find(isWrong) ?? targets.find(isWrong);
    if (wrong !== undefined) throw refuse(`expected token ids from 0 to ${config.vocabularySize - 1}, got ${wrong}`);
  });
}

/** Refuses per-token arrays that do not match their sequences. Throws `invalid-input` with which and why. */
export function assertPerToken(name: string, arrays: readonly ArrayLike<number>[], sequences: readonly TrainingSequence[]): void {
  const refuse = (message: string) => new TadpoleError({ code: 'invalid-input', message: `${name}: ${message}` });
  if (arrays.length !== sequences.length) throw refuse(`expected ${sequences.length} arrays, one a sequence, got ${arrays.length}`);
  arrays.forEach((array, index) => {
    const expected = sequences[index]!.inputs.length;
    if (array.length !== expected) throw refuse(`expected ${expected} values for sequence ${index}, got ${array.length}`);
    for (let position = 0; position < expected; position++) {
      if (!Number.isFinite(array[position]))
        throw refuse(`expected finite values, got ${array[position]} at ${position} of sequence ${index}`);
    }
  });
}
