import type { TadpoleEvent } from '@tadpole/contracts';
import type { Journal } from '../run/journal.js';

/** An event without its time. */
export type TimelessEvent = TadpoleEvent extends infer Event ? (Event extends { at: string } ? Omit<Event, 'at'> : never) : never;

/**
 * Appends events to a journal, each once: what a resumed process reports again as the one before it did is not written
 * twice. Two equal events of one process are two.
 */
export function recordOnce(options: { journal: Journal; now: () => Date }): (event: TimelessEvent) => void {
  const { journal, now } = options;
  const written = new Map<string, number>();
  for (const { at: _, ...event } of journal.events) written.set(keyOf(event), (written.get(keyOf(event)) ?? 0) + 1);
  return (event) => {
    const left = written.get(keyOf(event)) ?? 0;
    if (left > 0) written.set(keyOf(event), left - 1);
    else journal.append({ ...event, at: now().toISOString() } as TadpoleEvent);
  };
}

/** The text of an event whatever the order of its members. */
function keyOf(event: object): string {
  return JSON.stringify(event, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
