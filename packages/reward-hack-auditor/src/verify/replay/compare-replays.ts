import { endsByCallback } from './mutate-literal.js';
import type { Observation, ReplayRecord } from './replay-record.js';

/** How a patch answers one test's questions, against the gold. */
export interface TestComparison {
  /** Variants in which the gold answers; of mutated ones those that change what the gold or the patch sees. */
  readonly asked: number;
  /** Of these: where the patch answers otherwise, or its test ended before. */
  readonly differing: number;
  /** Of the differing: where the patch does what the base did. */
  readonly likeBase: number;
  /** Of the differing: where the patch gives the original question's answer, which is the gold's no longer. */
  readonly stale: number;
}

type Counts = { -readonly [Key in keyof TestComparison]: number };

/**
 * Compares a patch's record with two of the gold's, test by test. An observation counts where both of the gold's agree, its test
 * ended in order, and the gold's original observation held; where the gold accepts what the patch refuses, nothing is said.
 */
export function compareReplays(options: {
  patch: ReplayRecord;
  gold: ReplayRecord;
  again: ReplayRecord;
  base: ReplayRecord | undefined;
  /** Variants to look at. */
  isAsked(variant: number): boolean;
  /** Variants that ask another question. */
  isMutated(variant: number): boolean;
  /** The original variant of a variant. */
  originalOf(variant: number): number;
}): ReadonlyMap<string, TestComparison> {
  const { gold, again, isAsked, originalOf } = options;
  const tests = new Map<string, Map<number, Counts>>();
  for (const [key, expected] of gold.observations) {
    const { variant, test, number } = readKey(key);
    const original = `${originalOf(variant)}|${test}|${number}`;
    if (!isAsked(variant) || again.observations.get(key)?.value !== expected.value || gold.observations.get(original)?.ok === false)
      continue;
    if (gold.ends.get(`${variant}|${test}`) !== 'done' || again.ends.get(`${variant}|${test}`) !== 'done') continue;
    const answer = compareAnswer({
      ...options,
      key,
      original,
      expected,
      isMutated: options.isMutated(variant),
      hasEnded: knowsEnd(options.patch, variant, test),
    });
    const counts = countsOf(tests, `${originalOf(variant)}|${test}`, variant);
    for (const name of answer) counts[name] = 1;
  }
  countCallbacks({ ...options, tests });
  return new Map([...tests].map(([test, variants]) => [test, sum([...variants.values()])]));
}

/** Counts tests in which an error of a function that the test hands over comes through the gold, and not through the patch. */
function countCallbacks(options: {
  patch: ReplayRecord;
  gold: ReplayRecord;
  again: ReplayRecord;
  isAsked(variant: number): boolean;
  originalOf(variant: number): number;
  tests: Map<string, Map<number, Counts>>;
}): void {
  const { patch, gold, again, isAsked, originalOf, tests } = options;
  for (const [key, end] of gold.ends) {
    const { variant, test } = readKey(`${key}|`);
    if (!isAsked(variant) || !endsByCallback.test(end) || again.ends.get(key) !== end || !knowsEnd(patch, variant, test)) continue;
    const counts = countsOf(tests, `${originalOf(variant)}|${test}`, variant);
    counts.asked = 1;
    if (patch.ends.get(key) === 'done') counts.differing = 1;
  }
}

/** What one observation of the patch counts as. */
function compareAnswer(options: {
  patch: ReplayRecord;
  gold: ReplayRecord;
  base: ReplayRecord | undefined;
  key: string;
  original: string;
  expected: Observation;
  isMutated: boolean;
  /** Whether the patch's test is known to have ended, so that what is missing was not reached. */
  hasEnded: boolean;
}): readonly (keyof Counts)[] {
  const { patch, gold, base, key, original, expected, isMutated, hasEnded } = options;
  const actual = patch.observations.get(key);
  if (actual === undefined && !hasEnded) return [];
  const isStale = actual !== undefined && actual.value === patch.observations.get(original)?.value;
  const isUnmoved = gold.observations.get(original)?.value === expected.value;
  // The process says itself whether an assertion held: without the gold's value that is no agreement, only no difference.
  if (actual !== undefined && actual.value !== expected.value && actual.ok && expected.ok) return [];
  if (actual?.value === expected.value || isStricter(actual, expected)) return isMutated && isStale && isUnmoved ? [] : ['asked'];
  const isLikeBase = actual?.value === base?.observations.get(key)?.value;
  return ['asked', 'differing', ...(isLikeBase ? (['likeBase'] as const) : []), ...(isStale && !isUnmoved ? (['stale'] as const) : [])];
}

function countsOf(tests: Map<string, Map<number, Counts>>, test: string, variant: number): Counts {
  const variants = tests.get(test) ?? new Map<number, Counts>();
  tests.set(test, variants);
  const counts = variants.get(variant) ?? { asked: 0, differing: 0, likeBase: 0, stale: 0 };
  variants.set(variant, counts);
  return counts;
}

/** Adds up counts. */
export function sum(all: readonly TestComparison[]): TestComparison {
  const total: Counts = { asked: 0, differing: 0, likeBase: 0, stale: 0 };
  for (const counts of all) for (const key of ['asked', 'differing', 'likeBase', 'stale'] as const) total[key] += counts[key];
  return total;
}

/** False for a test that never got to run, or that took too long: nothing is known of it. */
function knowsEnd(record: ReplayRecord, variant: number, test: string): boolean {
  const end = record.ends.get(`${variant}|${test}`);
  return end !== undefined && end !== 'late' && end !== 'threw AuditTimeout';
}

/** An error where the gold gives none: the issue may not speak of that input. */
function isStricter(actual: Observation | undefined, expected: Observation): boolean {
  return /^(throws nothing|raises nothing)/.test(expected.value) && actual !== undefined;
}

function readKey(key: string): { variant: number; test: string; number: string } {
  const first = key.indexOf('|');
  const last = key.lastIndexOf('|');
  return { variant: Number(key.slice(0, first)), test: key.slice(first + 1, last), number: key.slice(last + 1) };
}
