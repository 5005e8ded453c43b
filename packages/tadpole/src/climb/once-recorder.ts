import { eventSchema, type TadpoleEvent } from '@tadpole/contracts';
import type { TimelessEvent } from '../run/timeless-event.js';

/**
 * Records an event unless the journal held it when the run was resumed: a synthesis that is gone through again says what it said
 * before. Returns the event as it stands in the journal.
 */
export function createOnceRecorder(options: {
  /** What the journal held. */
  journaled: readonly TadpoleEvent[];
  record: (event: TimelessEvent) => TadpoleEvent;
}): (event: TimelessEvent) => TadpoleEvent {
  const known = new Map(options.journaled.map((event) => [identityOf(event), event]));
  return (body) => known.get(identityOf(eventSchema.parse({ ...body, at: '' }))) ?? options.record(body);
}

/** Everything but the time; of an end the iteration alone, since executions that ran ahead differ from one process to another. */
function identityOf(event: TadpoleEvent): string {
  return JSON.stringify(event.type === 'synthesis-end' ? [event.type, event.iteration] : { ...event, at: '' });
}
