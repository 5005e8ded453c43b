import type { Snapshot } from '@tadpole/contracts';
import type { Bank } from '../calibrate/bank.js';
import type { OfferedTask } from './offered-task.js';
import type { KeptTask, SynthesisState } from './synthesis-state.js';

/** The tasks of a state whose snapshot is at hand, by id, not measured yet at this checkpoint. */
export function recallTasks(options: { state: SynthesisState; snapshots: readonly Snapshot[] }): Map<string, OfferedTask> {
  const { state, snapshots } = options;
  const candidates = new Map(state.bank.entries.map(({ candidate }) => [candidate.id, candidate]));
  const recalled = state.tasks.flatMap(({ draft, candidate, facts, parents, steps }): [string, OfferedTask][] => {
    const snapshot = snapshots.find(({ hash }) => hash === draft.data.lineage.snapshotHash);
    const calibration = candidates.get(draft.data.id);
    if (snapshot === undefined || calibration === undefined) return [];
    return [[draft.data.id, { snapshot, candidate, draft, facts, calibration, parents, steps, mostTurns: 0, isRefined: false }]];
  });
  return new Map(recalled);
}

/** Splits a bank into what can be measured again and what waits for its snapshot. */
export function splitBank(options: { bank: Bank; offered: ReadonlyMap<string, OfferedTask> }): { usable: Bank; waiting: Bank['entries'] } {
  const { bank, offered } = options;
  const isUsable = ({ candidate, admittedAt }: Bank['entries'][number]) => admittedAt !== null || offered.has(candidate.id);
  return {
    usable: { ...bank, entries: bank.entries.filter(isUsable) },
    waiting: bank.entries.filter((entry) => !isUsable(entry)),
  };
}

/** The tasks to keep: those that were not admitted, and those whose snapshot was not at hand. */
export function keepTasks(options: {
  state: SynthesisState;
  offered: ReadonlyMap<string, OfferedTask>;
  admitted: ReadonlySet<string>;
}): KeptTask[] {
  const { state, offered, admitted } = options;
  const unseen = state.tasks.filter(({ draft }) => !offered.has(draft.data.id));
  const kept = [...offered.values()].filter(({ draft }) => !admitted.has(draft.data.id));
  return [
    ...unseen,
    ...kept.map(({ draft, candidate, facts, parents, steps }) => ({ draft, candidate, facts, parents: [...parents], steps })),
  ];
}

/** What waited and what was measured in one list; what was proposed again is measured anew. */
export function joinEntries(options: { waiting: Bank['entries']; measured: Bank['entries'] }): Bank['entries'] {
  const known = new Set(options.measured.map(({ candidate }) => candidate.id));
  return [...options.waiting.filter(({ candidate }) => !known.has(candidate.id)), ...options.measured];
}
