import { TadpoleError } from '@tadpole/contracts';
import type { Bank, BankEntry } from './bank.js';
import type { Checkpoint } from './carried-likelihood.js';
import type { TaskCount } from './measure-wave.js';
import type { CalibrationCandidate } from './measurement.js';

/** A bank while an iteration writes in it. */
export interface BankBook {
  has(id: string): boolean;
  /** Not yet admitted, in the order of entry. */
  unadmitted(): readonly BankEntry[];
  /** Writes a task's scored rollouts at this checkpoint, in place of what was written of it at this checkpoint. */
  write(count: TaskCount<CalibrationCandidate>): void;
  admit(id: string): void;
  toBank(checkpoints: readonly Checkpoint[]): Bank;
}

/** Copies `bank`, which stays as it is. */
export function openBankBook(options: { bank: Bank; checkpoint: number }): BankBook {
  const { bank, checkpoint } = options;
  const entries = new Map(bank.entries.map((entry) => [entry.candidate.id, entry]));
  if (entries.size !== bank.entries.length || bank.checkpoints.length > checkpoint + 1) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `calibrateIteration: expected a bank with distinct task ids and at most the checkpoints 0..${checkpoint}, got ${bank.entries.length - entries.size} repeated ids and ${bank.checkpoints.length} checkpoints.`,
    });
  }
  return {
    has: (id) => entries.has(id),
    unadmitted: () => [...entries.values()].filter(({ admittedAt }) => admittedAt === null),
    write({ task, successes, trials }) {
      const { counts = [], admittedAt = null } = entries.get(task.id) ?? {};
      const earlier = counts.filter((count) => count.checkpoint !== checkpoint);
      entries.set(task.id, {
        candidate: task,
        counts: trials === 0 ? earlier : [...earlier, { checkpoint, successes, trials }],
        admittedAt,
      });
    },
    admit(id) {
      const entry = entries.get(id);
      if (entry !== undefined) entries.set(id, { ...entry, admittedAt: checkpoint });
    },
    toBank: (checkpoints) => ({ checkpoints: checkpoints.map((state) => ({ ...state })), entries: [...entries.values()] }),
  };
}
