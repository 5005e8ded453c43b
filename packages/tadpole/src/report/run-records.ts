import type { TadpoleEvent } from '@tadpole/contracts';

/** An event of one type. */
export type EventOf<Type extends TadpoleEvent['type']> = Extract<TadpoleEvent, { type: Type }>;

/** A journal's events by type, each thing once and in order: a resumed run may journal a cheap event again. */
export interface RunRecords {
  readonly snapshots: readonly EventOf<'snapshot-ready'>[];
  readonly refused: readonly EventOf<'candidate-refuse'>[];
  readonly validated: readonly EventOf<'candidate-validate'>[];
  readonly rounds: readonly EventOf<'calibration-round'>[];
  readonly shifts: readonly EventOf<'checkpoint-shift'>[];
  readonly calibrated: readonly EventOf<'candidate-calibrate'>[];
  readonly discarded: readonly EventOf<'candidate-discard'>[];
  readonly admitted: readonly EventOf<'task-admit'>[];
  readonly synthesised: readonly EventOf<'synthesis-end'>[];
  readonly rollouts: readonly EventOf<'rollout-end'>[];
  readonly audits: readonly EventOf<'audit-end'>[];
  readonly updates: readonly EventOf<'update-end'>[];
  readonly evaluations: readonly EventOf<'evaluation-end'>[];
  readonly iterationsEnded: number;
}

/** Sorts a journal's events by type. Pure. */
export function runRecords(events: readonly TadpoleEvent[]): RunRecords {
  return {
    snapshots: once(events, 'snapshot-ready', ({ hash }) => hash),
    refused: once(events, 'candidate-refuse', ({ iteration, candidateId }) => `${iteration} ${candidateId}`),
    validated: once(events, 'candidate-validate', ({ iteration, taskId }) => `${iteration} ${taskId}`),
    rounds: once(events, 'calibration-round', ({ iteration, round }) => `${iteration} ${round}`),
    shifts: once(events, 'checkpoint-shift', ({ iteration }) => `${iteration}`),
    calibrated: once(events, 'candidate-calibrate', ({ iteration, taskId }) => `${iteration} ${taskId}`),
    discarded: once(events, 'candidate-discard', ({ iteration, taskId, reason }) => `${iteration} ${taskId} ${reason}`),
    admitted: once(events, 'task-admit', ({ iteration, taskId }) => `${iteration} ${taskId}`),
    synthesised: once(events, 'synthesis-end', ({ iteration, rollouts }) => `${iteration} ${rollouts}`),
    rollouts: once(events, 'rollout-end', ({ key }) => key),
    audits: once(events, 'audit-end', ({ trajectoryId }) => trajectoryId),
    updates: once(events, 'update-end', ({ iteration, update }) => `${iteration} ${update}`),
    evaluations: once(events, 'evaluation-end', ({ label }) => label),
    iterationsEnded: once(events, 'iteration-end', ({ iteration }) => `${iteration}`).length,
  };
}

function once<Type extends TadpoleEvent['type']>(
  events: readonly TadpoleEvent[],
  type: Type,
  nameOf: (event: EventOf<Type>) => string,
): readonly EventOf<Type>[] {
  const found = new Map<string, EventOf<Type>>();
  for (const event of events) {
    if (event.type !== type) continue;
    const typed = event as EventOf<Type>;
    const name = nameOf(typed);
    if (!found.has(name)) found.set(name, typed);
  }
  return [...found.values()];
}
