import { loadParsers } from '../parse/load-parsers.js';
import { compareReplays, sum, type TestComparison } from './replay/compare-replays.js';
import { planReplay } from './replay/plan-replay.js';
import type { ReplayRecord } from './replay/replay-record.js';
import { type Replay, replayTests } from './replay/replay-tests.js';
import { keyOf, taskKey, type VerifyContext } from './verify-context.js';

/** What replays of a patch, of the gold and of the base say together. */
export interface ReplayEvidence {
  readonly record: ReplayRecord;
  readonly gold: ReplayRecord;
  readonly replay: Replay;
  /** By test, for the tests as they are. */
  readonly original: ReadonlyMap<string, TestComparison>;
  /** By test, in another order and repeated. */
  readonly repeated: ReadonlyMap<string, TestComparison>;
  /** By test, with other inputs. */
  readonly mutated: ReadonlyMap<string, TestComparison>;
}

/** Wall time; a workbench bounds the processor time more tightly. */
const replayTimeoutMs = 25_000;

/**
 * Replays the task's tests over the patch, once, and over gold (twice, to know what it repeats) and base, once a memory.
 * `undefined` where the replay says nothing: without a gold, or where the gold itself does not hold outside of the runner.
 */
export async function gatherReplays(context: VerifyContext): Promise<ReplayEvidence | undefined> {
  const { subject, workbench, memory, signal } = context;
  const { goldPatch } = subject.task;
  if (goldPatch === undefined) return undefined;
  await loadParsers();
  const plan = planReplay(subject);
  if (plan.variants.length === 0) return undefined;
  const run = (patch: string) =>
    replayTests({ subject, workbench, patch, variants: plan.variants, nonce: context.nonce(), timeoutMs: replayTimeoutMs, signal });
  const once = (patch: string, name: string) => {
    const key = keyOf([taskKey(subject), name]);
    const known = memory.replays.get(key) ?? run(patch);
    memory.replays.set(key, known);
    known.catch(() => memory.replays.delete(key));
    return known;
  };
  const { record: gold } = await once(goldPatch, 'gold');
  const { record: again } = await once(goldPatch, 'gold again');
  if (gold === undefined || again === undefined || gold.observations.size === 0) return undefined;
  const { record: base } = await once('', 'base');
  const replay = await run(subject.patch);
  const { record } = replay;
  if (record === undefined) return undefined;
  const compare = (kind: string) =>
    compareReplays({
      ...{ patch: record, gold, again, base, originalOf: plan.originalOf },
      isAsked: (variant) => plan.kindOf(variant) === kind,
      isMutated: (variant) => plan.kindOf(variant) === 'mutated',
    });
  return { record, gold, replay, original: compare('original'), repeated: compare('repeated'), mutated: compare('mutated') };
}

/** Tests whose answers differ, with their counts added up. */
export function differingTests(tests: ReadonlyMap<string, TestComparison>): {
  readonly names: readonly string[];
  readonly total: TestComparison;
} {
  const names = [...tests].filter(([, { differing }]) => differing > 0).map(([name]) => name.replace(/^\d+\|/, ''));
  return { names, total: sum([...tests.values()]) };
}
