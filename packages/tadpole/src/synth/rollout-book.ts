import { type Outcome, TadpoleError, type TadpoleErrorCode } from '@tadpole/contracts';
import { createRolloutJournal, type Redactor, type RolloutEnd } from '@tadpole/leaf-harness';
import type { SynthesisRollout } from '@tadpole/taskpilot';

/** The finished rollouts of a synthesis, in a file that this process alone writes. */
export interface RolloutBook {
  /** A finished rollout by its key, with the cost of all tries that it took; `undefined` for one that is still to be run. */
  recall(key: string): SynthesisRollout | undefined;
  /**
   * Keeps a rollout. @throws TadpoleError `storage`; `policy` or `sandbox` when that boundary has failed three rollouts in a row,
   * which are then not finished: nothing is known about their tasks, and more would only be lost.
   */
  append(end: RolloutEnd): void;
  /** Gives the file back. */
  close(): void;
}

/** Rollouts in a row that a boundary fails before it is held to be dead. */
const patience = 3;

interface Kept {
  readonly taskId: string;
  readonly outcome: Outcome;
  readonly turns: number;
  readonly costUsd: number | undefined;
}

/**
 * Opens `file` as a journal of rollouts, or makes it. What a failed boundary left at its end is rolled out again; a failure
 * that was followed by an answer stays what it is, so that a synthesis that is resumed decides as it did.
 *
 * @throws TadpoleError `storage`, `invalid-input` as `createRolloutJournal` does.
 */
export function openRolloutBook(options: { file: string; redactor?: Redactor }): RolloutBook {
  const journal = createRolloutJournal(options);
  const finished = new Map<string, Kept>();
  const costs = new Map<string, number>();
  let failing: string[] = [];
  let dead: TadpoleError | undefined;

  function keep(options: { key: string; rollout: Kept }): void {
    const { key, rollout } = options;
    finished.set(key, rollout);
    if (rollout.costUsd !== undefined) costs.set(key, (costs.get(key) ?? 0) + rollout.costUsd);
    failing = failedBoundary(rollout.outcome) === undefined ? [] : [...failing, key];
  }

  for (const { key, taskId, outcome, trajectory, usage } of journal.records())
    keep({ key, rollout: { taskId, outcome, turns: trajectory.turns.length, costUsd: usage.costUsd } });
  for (const key of failing) finished.delete(key);
  failing = [];

  return {
    recall(key) {
      const rollout = finished.get(key);
      if (rollout === undefined) return undefined;
      const { taskId, outcome, turns } = rollout;
      const costUsd = costs.get(key);
      return { taskId, outcome, turns, ...(costUsd === undefined ? {} : { costUsd }) };
    },
    append(end) {
      if (dead !== undefined) throw dead;
      journal.append(end);
      const { key, task, outcome, trajectory, usage } = end;
      keep({ key, rollout: { taskId: task.data.id, outcome, turns: trajectory.turns.length, costUsd: usage.costUsd } });
      const code = failedBoundary(outcome);
      if (code === undefined || failing.length < patience) return;
      const detail = outcome.status === 'unscored' ? outcome.detail : '';
      const message = `Expected rollouts to end with a score, but the ${code} failed ${patience} of them in a row: ${detail}`;
      dead = new TadpoleError({ code, message });
      throw dead;
    },
    close: () => journal.close(),
  };
}

/** The boundary that would fail every rollout alike, if it was one of those. */
function failedBoundary(outcome: Outcome): Extract<TadpoleErrorCode, 'policy' | 'sandbox'> | undefined {
  if (outcome.status === 'scored') return undefined;
  if (outcome.reason === 'policy-failed') return 'policy';
  return outcome.reason === 'sandbox-failed' ? 'sandbox' : undefined;
}
