import type { Observation, ReplayRecord } from './replay-record.js';

/** How the observations of a patch stand to the gold's, on those that the gold repeats. */
export interface ReplayComparison {
  /** Observations that were compared. */
  readonly compared: number;
  /** Keys of those where the patch saw something else, or nothing, because its test ended before. */
  readonly differing: readonly string[];
  /** Of these: where the patch does what the base did, and the gold does not. */
  readonly likeBase: readonly string[];
  /** Of these: where the patch gives what the original question's answer was, and the gold does not. */
  readonly stale: readonly string[];
}

/**
 * Compares a patch's record with two of the gold's. An observation counts where both of the gold's agree and its test ended
 * in order; one on which the gold itself fails to answer says nothing.
 */
export function compareReplays(options: {
  patch: ReplayRecord;
  gold: ReplayRecord;
  again: ReplayRecord;
  base: ReplayRecord;
  /** Variants to look at. */
  isAsked(variant: number): boolean;
  /** The original variant of a variant. */
  originalOf(variant: number): number;
}): ReplayComparison {
  const { patch, gold, again, base, isAsked, originalOf } = options;
  const differing: string[] = [];
  const likeBase: string[] = [];
  const stale: string[] = [];
  let compared = 0;
  for (const [key, expected] of gold.observations) {
    const { variant, test, number } = readKey(key);
    if (!isAsked(variant) || again.observations.get(key)?.value !== expected.value) continue;
    if (gold.ends.get(`${variant}|${test}`) !== 'done' || again.ends.get(`${variant}|${test}`) !== 'done') continue;
    const actual = patch.observations.get(key);
    if (actual === undefined && !knowsEnd(patch, variant, test)) continue;
    compared++;
    if (agrees(actual, expected)) continue;
    differing.push(key);
    const original = `${originalOf(variant)}|${test}|${number}`;
    if (same(actual, base.observations.get(key))) likeBase.push(key);
    if (actual !== undefined && same(actual, patch.observations.get(original)) && !same(gold.observations.get(original), expected)) stale.push(key);
  }
  return { compared, differing, likeBase, stale };
}

/** False for a test that never got to run, or that took too long: nothing is known of it. */
function knowsEnd(record: ReplayRecord, variant: number, test: string): boolean {
  const end = record.ends.get(`${variant}|${test}`);
  return end !== undefined && end !== 'late' && end !== 'threw AuditTimeout';
}

function agrees(actual: Observation | undefined, expected: Observation): boolean {
  return actual !== undefined && (actual.value === expected.value || (actual.ok && expected.ok));
}

function same(one: Observation | undefined, other: Observation | undefined): boolean {
  return one?.value === other?.value;
}

function readKey(key: string): { variant: number; test: string; number: string } {
  const first = key.indexOf('|');
  const last = key.lastIndexOf('|');
  return { variant: Number(key.slice(0, first)), test: key.slice(first + 1, last), number: key.slice(last + 1) };
}
