import type { Rate } from '@tadpole/contracts';
import type { RunComparison } from '@tadpole/evaluation';
import { readJournal } from '../run/journal.js';
import { readRunFile } from '../run/run-store.js';
import { summarizeRun } from '../run/run-summary.js';
import { heldOutComparison } from './held-out-comparison.js';
import { runRecords } from './run-records.js';

export { resultText } from './result-text.js';

/** What a run came to. Everything here follows from its journal and `run.json`; what is not there yet is `null`. */
export interface RunResult {
  readonly runId: string;
  readonly seed: number;
  /** `null` while the run goes on, and after a kill. */
  readonly finished: 'done' | 'interrupted' | 'failed' | null;
  readonly iterations: { readonly ended: number; readonly planned: number };
  /** Validated tasks that were only ever evaluated. */
  readonly heldOutTasks: number;
  readonly samplesPerTask: number;
  /** pass@1 on the held-out tasks before any update. */
  readonly before: Rate | null;
  /** The same at the last evaluation after updates, and that evaluation's label. */
  readonly after: Rate | null;
  readonly afterLabel: string | null;
  /** After minus before over the pairs scored in both, with its 95 % interval and McNemar's exact two-sided p-value. */
  readonly difference: number | null;
  readonly differenceInterval: readonly [number, number] | null;
  readonly pValue: number | null;
  /** The whole comparison, pairs counted by how they came out. */
  readonly paired: RunComparison | null;
  readonly tasksProposed: number;
  readonly tasksValid: number;
  /** Refused candidates by reason. */
  readonly refused: Readonly<Record<string, number>>;
  readonly tasksAdmitted: number;
  readonly updates: number;
  readonly rollouts: Readonly<Record<'calibration' | 'train' | 'evaluation', number>>;
  /** Rollouts about which nothing can be said; they count nowhere else. */
  readonly unscored: number;
  readonly audited: number;
  readonly flagged: number;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** Wall time in which the run was working. */
  readonly workedMs: number;
  /** Price of the model calls that have one, in United States dollars; 0 for a policy that runs here. */
  readonly apiCostUsd: number;
}

/**
 * Reads a run's result from its folder, also while it goes on.
 *
 * @throws TadpoleError `invalid-input` when the folder holds no run or its journal is damaged.
 */
export function runResult(options: { directory: string }): RunResult {
  const { runId, configuration } = readRunFile(options.directory);
  const events = readJournal(options.directory);
  const records = runRecords(events);
  const summary = summarizeRun(events);
  const { before, after, paired } = heldOutComparison(records);
  return {
    runId,
    seed: configuration.seed,
    finished: summary.finished ?? null,
    iterations: { ended: records.iterationsEnded, planned: configuration.iterations },
    heldOutTasks: summary.valid.heldOut,
    samplesPerTask: configuration.heldOut.samplesPerTask,
    before: before?.passAt1 ?? null,
    after: after?.passAt1 ?? null,
    afterLabel: after?.label ?? null,
    difference: paired?.difference ?? null,
    differenceInterval: paired?.interval ?? null,
    pValue: paired?.pValue ?? null,
    paired: paired ?? null,
    tasksProposed: summary.proposed,
    tasksValid: summary.valid.train + summary.valid.heldOut,
    refused: summary.refused,
    tasksAdmitted: summary.admitted,
    updates: summary.updates.length,
    rollouts: summary.rollouts,
    unscored: summary.unscored,
    audited: summary.audited,
    flagged: summary.flagged,
    tokens: summary.tokens,
    workedMs: summary.workedMs,
    apiCostUsd: summary.costUsd ?? 0,
  };
}
