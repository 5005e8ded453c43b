import type { DuplicateVerdict } from './duplicate-filter.js';

/** By what a candidate repeats another: its place in the source, or one of the filter's keys. */
export type RepeatedKey = 'line' | 'patch' | 'site' | 'statement' | 'other';

/** One line for a refusal or a discard that says by which key a task repeats which; reports count by that key. */
export function describeDuplicate(verdict: Extract<DuplicateVerdict, { kind: 'duplicate' }>): string {
  const { key, of } = verdict;
  return `${key}: the same as of ${of.role === 'held-out' ? 'held-out task' : 'task'} ${of.id} of run ${of.run}`;
}

/** The key that a duplicate's detail names; `other` where it names none. */
export function repeatedKeyOf(detail: string): RepeatedKey {
  // What `synthesize` says of a candidate whose line has its task.
  if (detail.startsWith('its line has')) return 'line';
  return (/^(line|patch|site|statement):/.exec(detail)?.[1] as RepeatedKey | undefined) ?? 'other';
}
