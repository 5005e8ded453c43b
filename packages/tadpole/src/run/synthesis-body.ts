import type { SynthesisEvent } from '@tadpole/taskpilot';
import type { TimelessEvent } from './timeless-event.js';

/** An event of a synthesis as the journal has it: with its iteration, without the draft. */
export function synthesisBody(options: { event: SynthesisEvent; iteration: number }): TimelessEvent {
  const { event, iteration } = options;
  switch (event.type) {
    case 'candidate-validate':
    case 'task-admit': {
      const { draft: _, ...body } = event;
      return { ...body, iteration };
    }
    case 'candidate-calibrate':
      return { ...event, iteration, posteriorInterval: [event.posteriorInterval[0], event.posteriorInterval[1]] };
    default:
      return { ...event, iteration };
  }
}
