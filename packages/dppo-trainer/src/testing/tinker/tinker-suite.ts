import assert from 'node:assert/strict';
import { type RawDatum, type RawModel, withModel } from './tinker-model.js';
import type { TinkerRequests } from './tinker-requests.js';

/** What a server declares of itself; where it declares a quirk, the suite asserts the quirk. */
export interface TinkerTraits {
  /** Losses of its own, by the protocol's names. */
  readonly losses: readonly string[];
  readonly lossReduction: 'sum' | 'sequence-mean';
  readonly samplerIsSnapshot: boolean;
  readonly promptLogprobsLeadingNull: boolean;
  readonly topkPromptLogprobs: boolean;
  readonly seqIdDedup: boolean;
  readonly loadFirstOnly: boolean;
}

/** What every case of the suite reads. */
export interface TinkerSuite {
  readonly requests: TinkerRequests;
  readonly traits: TinkerTraits;
  readonly baseModel: string;
  /** Token ids that the model knows, at least 9 of them. */
  readonly tokens: readonly number[];
  /** Rank of the LoRA models that are made. */
  readonly rank: number;
  /** A new name for a checkpoint. */
  name(): string;
}

/** A new model for one case. */
export const onModel = <T>(suite: TinkerSuite, use: (model: RawModel) => Promise<T>): Promise<T> => withModel(suite, use);

/** A datum over the first `length` + 1 tokens of the suite; `extra` makes each loss input from the position. */
export function datum(suite: TinkerSuite, length: number, extra: Readonly<Record<string, (position: number) => number>> = {}): RawDatum {
  const positions = Array.from({ length }, (_, position) => position);
  return {
    inputs: suite.tokens.slice(0, length),
    targets: suite.tokens.slice(1, length + 1),
    extra: Object.fromEntries(Object.entries(extra).map(([name, of]) => [name, positions.map(of)])),
  };
}

/** Largest absolute difference between two results; both are [T] a datum. */
export function distance(left: readonly (readonly number[])[], right: readonly (readonly number[])[]): number {
  assert.deepEqual(
    left.map((row) => row.length),
    right.map((row) => row.length),
  );
  return Math.max(...left.flatMap((row, i) => row.map((value, t) => Math.abs(value - (right[i]?.[t] ?? Number.NaN)))));
}

/** Log-probabilities of `plain` before and after one update of a new model. */
export async function update(
  suite: TinkerSuite,
  options: { plain: readonly RawDatum[]; train: (model: RawModel, before: readonly (readonly number[])[]) => Promise<void> },
): Promise<{ before: number[][]; after: number[][] }> {
  return onModel(suite, async (model) => {
    const before = await model.forward(options.plain);
    await options.train(model, before);
    await model.step();
    return { before, after: await model.forward(options.plain) };
  });
}

/** Two updates count as equal when they differ by a hundredth of how far the first went; a still model fails. */
export function assertSameUpdate(first: { before: number[][]; after: number[][] }, second: { after: number[][] }): void {
  const moved = distance(first.before, first.after);
  assert.ok(moved > 1e-4, `expected the update to change log-probabilities, which moved by ${moved}`);
  const apart = distance(first.after, second.after);
  assert.ok(apart < moved / 100, `expected the same update; they moved by ${moved} and lie ${apart} apart`);
}
