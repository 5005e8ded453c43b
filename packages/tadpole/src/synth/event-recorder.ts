import type { TadpoleEvent } from '@tadpole/contracts';
import type { Journal } from '../run/journal.js';
import { settingsHash } from '../run/settings-hash.js';
import type { TimelessEvent } from '../run/timeless-event.js';

/**
 * Appends events to a journal, each once: what a resumed process reports again as the one before it did is not written
 * twice. Two equal events of one process are two.
 */
export function recordOnce(options: { journal: Journal; now: () => Date }): (event: TimelessEvent) => void {
  const { journal, now } = options;
  const written = new Map<string, number>();
  for (const { at: _, ...event } of journal.events) written.set(settingsHash(event), (written.get(settingsHash(event)) ?? 0) + 1);
  return (event) => {
    const left = written.get(settingsHash(event)) ?? 0;
    if (left > 0) written.set(settingsHash(event), left - 1);
    else journal.append({ ...event, at: now().toISOString() } as TadpoleEvent);
  };
}
