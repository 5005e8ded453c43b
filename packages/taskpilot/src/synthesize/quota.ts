import type { Candidate, Snapshot } from '@tadpole/contracts';

/** Train or held-out; a task is in exactly one. */
export type Split = 'train' | 'held-out';

/** Counts what was accepted and says what may still be. */
export interface Quota {
  /** True when every split has what was asked for. */
  isFull(): boolean;
  /** Why a candidate can no longer be accepted, or `null`. */
  objection(options: { snapshot: Snapshot; candidate: Candidate; split: Split }): 'quota' | 'duplicate' | null;
  accept(options: { snapshot: Snapshot; candidate: Candidate; split: Split }): void;
}

/** Makes a quota: so many tasks a split, so many a file, so many a line of a file. */
export function createQuota(options: { counts: Readonly<Record<Split, number>>; maxPerFile: number; maxPerLine: number }): Quota {
  const { counts, maxPerFile, maxPerLine } = options;
  const accepted = new Map<string, number>();
  const count = (key: string) => accepted.get(key) ?? 0;
  const add = (key: string) => accepted.set(key, count(key) + 1);
  const fileKey = (snapshot: Snapshot, candidate: Candidate) => JSON.stringify(['file', snapshot.source, candidate.lineage.file]);
  const lineKey = (snapshot: Snapshot, { lineage }: Candidate) => JSON.stringify(['line', snapshot.source, lineage.file, lineage.line]);
  return {
    isFull: () => (['train', 'held-out'] as const).every((split) => count(split) >= counts[split]),
    objection({ snapshot, candidate, split }) {
      if (count(split) >= counts[split] || count(fileKey(snapshot, candidate)) >= maxPerFile) return 'quota';
      return count(lineKey(snapshot, candidate)) >= maxPerLine ? 'duplicate' : null;
    },
    accept({ snapshot, candidate, split }) {
      for (const key of [split, fileKey(snapshot, candidate), lineKey(snapshot, candidate)]) add(key);
    },
  };
}
