import { type DriftTask, measureDrift } from '../duplicates/measure-drift.js';
import { mixOf, type TaskMix } from '../duplicates/task-mix.js';
import type { IterationMix } from './iteration-report-schema.js';
import type { ReportedEventOf, ReportedEvents } from './reported-event.js';

/** What the admitted tasks are spread over, and their drift from the target, where there is one. */
export function iterationMix(options: {
  events: ReportedEvents;
  /** Validations of earlier iterations, for tasks of the bank. */
  earlier: readonly ReportedEventOf<'candidate-validate'>[];
  target: TaskMix | undefined;
}): IterationMix {
  const { events, earlier, target } = options;
  const now = new Set(events.validated.map(({ taskId }) => taskId));
  const known = new Map([...earlier, ...events.validated].map((event) => [event.taskId, event]));
  const tasks = [...events.admitted].sort().flatMap((taskId): DriftTask[] => {
    const event = known.get(taskId);
    if (event === undefined) return [];
    const { source, operatorFamily, patchSize, statementRung, parents } = event;
    return [{ repository: source, operatorFamily, patchSize, statementRung, isFresh: parents.length === 0 && now.has(taskId) }];
  });
  return {
    unknown: events.admitted.size - tasks.length,
    mix: tasks.length === 0 ? null : mixOf(tasks),
    drift: tasks.length === 0 || target === undefined ? null : measureDrift({ tasks, target }),
  };
}
