import { type Outcome, type Rate, TadpoleError } from '@tadpole/contracts';
import { mcnemarExact } from './mcnemar-exact.js';
import { pairedInterval } from './paired-interval.js';
import { rate } from './rate.js';

/** One rollout of an evaluation, as far as a comparison needs it. */
export interface RunOutcome {
  readonly taskId: string;
  /** Which sample of the task; the same number means the same seed in both runs. */
  readonly sample: number;
  readonly outcome: Outcome;
}

/** What two runs over the same tasks say about each other. */
export interface RunComparison {
  /** Pairs scored in both runs. Everything below is about these alone. */
  readonly pairs: number;
  /** Distinct tasks among the pairs. */
  readonly tasks: number;
  readonly bothPassed: number;
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly neither: number;
  /** `null` like all that follow when there is no pair. */
  readonly before: Rate | null;
  readonly after: Rate | null;
  /** After minus before. */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  /** McNemar, exact, two-sided. */
  readonly pValue: number | null;
  /** How the interval and the p-value were made, and what they assume. */
  readonly method: string;
  /** What was left out: present in one run only, or unscored in at least one of both. */
  readonly unpaired: { readonly before: number; readonly after: number; readonly unscored: number };
}

/**
 * Compares two runs pair by pair, matched by task and sample. Only pairs that are scored in both count; the
 * others are counted apart, since a failure of the infrastructure says nothing about a policy. A pair
 * passes when its reward is 1.
 *
 * @throws TadpoleError `invalid-input` when a run has the same task and sample twice.
 */
export function compareRuns(options: {
  before: readonly RunOutcome[];
  after: readonly RunOutcome[];
  /** @default 0.95 */
  confidence?: number;
}): RunComparison {
  const { confidence = 0.95 } = options;
  const before = indexRun(options.before, 'before');
  const after = indexRun(options.after, 'after');
  const unpaired = { before: 0, after: [...after.keys()].filter((key) => !before.has(key)).length, unscored: 0 };
  const counts = { bothPassed: 0, onlyBefore: 0, onlyAfter: 0, neither: 0 };
  const tasks = new Set<string>();
  for (const [key, { taskId, outcome: first }] of before) {
    const second = after.get(key)?.outcome;
    if (!second) unpaired.before += 1;
    else if (first.status !== 'scored' || second.status !== 'scored') unpaired.unscored += 1;
    else {
      tasks.add(taskId);
      const [passedBefore, passedAfter] = [first.reward === 1, second.reward === 1];
      counts[passedBefore ? (passedAfter ? 'bothPassed' : 'onlyBefore') : passedAfter ? 'onlyAfter' : 'neither'] += 1;
    }
  }
  const { bothPassed, onlyBefore, onlyAfter, neither } = counts;
  const pairs = bothPassed + onlyBefore + onlyAfter + neither;
  const method = `difference: Bonett-Price ${confidence * 100} % interval; p: McNemar exact, two-sided; ${pairs} pairs of ${tasks.size} tasks taken as independent`;
  const base = { pairs, tasks: tasks.size, ...counts, method, unpaired };
  if (pairs === 0) return { ...base, before: null, after: null, difference: null, interval: null, pValue: null };
  return {
    ...base,
    before: rate({ successes: bothPassed + onlyBefore, trials: pairs, confidence }),
    after: rate({ successes: bothPassed + onlyAfter, trials: pairs, confidence }),
    difference: (onlyAfter - onlyBefore) / pairs,
    interval: pairedInterval({ pairs, onlyBefore, onlyAfter, confidence }),
    pValue: mcnemarExact({ onlyBefore, onlyAfter }).pValue,
  };
}

function indexRun(run: readonly RunOutcome[], name: string): Map<string, RunOutcome> {
  const index = new Map<string, RunOutcome>();
  for (const result of run) {
    const key = JSON.stringify([result.taskId, result.sample]);
    if (index.has(key)) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `Expected each task and sample once, but run "${name}" has task ${result.taskId}, sample ${result.sample} twice.`,
      });
    }
    index.set(key, result);
  }
  return index;
}
