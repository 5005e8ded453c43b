import type { TadpoleEvent } from '@tadpole/contracts';

/** An event without its time. */
export type TimelessEvent = TadpoleEvent extends infer Event ? (Event extends { at: string } ? Omit<Event, 'at'> : never) : never;
