import { TadpoleError, type TadpoleEvent } from '@tadpole/contracts';

/** The fields that reports read, by the event's type. */
export interface ReportedFields {
  'candidate-refuse': 'candidateId' | 'strategy' | 'operator' | 'reason' | 'detail';
  'candidate-validate':
    | 'taskId'
    | 'strategy'
    | 'operator'
    | 'operatorFamily'
    | 'patchSize'
    | 'statementRung'
    | 'source'
    | 'split'
    | 'parents';
  'calibration-round': 'round';
  'checkpoint-shift': 'shift' | 'standardError' | 'anchors';
  'candidate-calibrate':
    | 'taskId'
    | 'verdict'
    | 'successes'
    | 'trials'
    | 'unscored'
    | 'posteriorMean'
    | 'posteriorInterval'
    | 'probabilityInBand'
    | 'strategy'
    | 'source'
    | 'origin';
  'candidate-discard': 'taskId' | 'reason' | 'detail';
  'task-admit': 'taskId';
  'synthesis-end': 'ended' | 'rollouts' | 'unscored' | 'costUsd' | 'executions';
  'rollout-end': 'key' | 'purpose' | 'taskId' | 'weightsVersion' | 'outcome' | 'usage';
}

/** An event of one type as reports read it: without the moment, and with the iteration only where it says one. */
export type ReportedEventOf<Type extends keyof ReportedFields> = {
  [T in Type]: Extract<TadpoleEvent, { type: T }> extends infer Event
    ? Readonly<Pick<Event, Extract<keyof Event, 'type' | ReportedFields[T]>>> & { readonly iteration?: number | undefined }
    : never;
}[Type];

/** An event of a journal, or one of the same form that TaskPilot holds in memory. Reports pass over the other types. */
export type ReportedEvent =
  | ReportedEventOf<keyof ReportedFields>
  | { readonly type: Exclude<TadpoleEvent['type'], keyof ReportedFields>; readonly iteration?: number | undefined };

/** Events by type, each thing once: a resumed run journals some again. */
export interface ReportedEvents {
  readonly refused: readonly ReportedEventOf<'candidate-refuse'>[];
  readonly validated: readonly ReportedEventOf<'candidate-validate'>[];
  readonly rounds: readonly ReportedEventOf<'calibration-round'>[];
  readonly shift: ReportedEventOf<'checkpoint-shift'> | undefined;
  readonly calibrated: readonly ReportedEventOf<'candidate-calibrate'>[];
  readonly discarded: readonly ReportedEventOf<'candidate-discard'>[];
  readonly admitted: ReadonlySet<string>;
  readonly end: ReportedEventOf<'synthesis-end'> | undefined;
  readonly rollouts: readonly ReportedEventOf<'rollout-end'>[];
}

/**
 * Sorts one iteration's events by type; of those with the same type and id the first counts. A synthesis that went on with another
 * budget has several ends, of which the one with the most rollouts counts, and fates that were not the last. Everything but the rollouts
 * is in the order of its ids, so that nothing depends on the order of the events.
 *
 * @throws TadpoleError `invalid-input` when they say more than one iteration.
 */
export function reportedEvents(events: readonly ReportedEvent[]): ReportedEvents {
  const iterations = new Set(events.flatMap(({ iteration }) => iteration ?? []));
  if (iterations.size > 1) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected events of one iteration, got some of iterations ${[...iterations].join(', ')}. Report each iteration by itself.`,
    });
  }
  const admitted = new Set(eventsOnce({ events, type: 'task-admit', idOf: ({ taskId }) => taskId }).keys());
  return {
    refused: sorted(eventsOnce({ events, type: 'candidate-refuse', idOf: ({ candidateId }) => candidateId })),
    validated: sorted(eventsOnce({ events, type: 'candidate-validate', idOf: ({ taskId }) => taskId })),
    rounds: [...eventsOnce({ events, type: 'calibration-round', idOf: ({ round }) => String(round) }).values()],
    shift: eventsOnce({ events, type: 'checkpoint-shift', idOf: () => '' }).get(''),
    calibrated: sorted(eventsOnce({ events, type: 'candidate-calibrate', idOf: ({ taskId }) => taskId })),
    discarded: lastFates({ events, admitted }),
    admitted,
    end: events.filter((event) => isOf(event, 'synthesis-end')).sort((left, right) => right.rollouts - left.rollouts)[0],
    rollouts: [...eventsOnce({ events, type: 'rollout-end', idOf: ({ key }) => key }).values()],
  };
}

/** The fates of tasks that were not admitted in the end; `unfinished` only where nothing else is said. */
function lastFates(options: { events: readonly ReportedEvent[]; admitted: ReadonlySet<string> }) {
  const { events, admitted } = options;
  const fates = events.filter((event) => isOf(event, 'candidate-discard')).filter(({ taskId }) => !admitted.has(taskId));
  const settled = fates.filter(({ reason }) => reason !== 'unfinished');
  return sorted(eventsOnce({ events: [...settled, ...fates], type: 'candidate-discard', idOf: ({ taskId }) => taskId }));
}

/** The events of a type by their id, the first of each, in order. */
export function eventsOnce<Type extends keyof ReportedFields>(options: {
  events: readonly ReportedEvent[];
  type: Type;
  idOf: (event: Extract<ReportedEvent, { type: Type }>) => string;
}): ReadonlyMap<string, Extract<ReportedEvent, { type: Type }>> {
  const { events, type, idOf } = options;
  const found = new Map<string, Extract<ReportedEvent, { type: Type }>>();
  for (const event of events) {
    if (!isOf(event, type)) continue;
    const id = idOf(event);
    if (!found.has(id)) found.set(id, event);
  }
  return found;
}

function isOf<Type extends string>(event: ReportedEvent, type: Type): event is Extract<ReportedEvent, { type: Type }> {
  return event.type === type;
}

function sorted<Event>(events: ReadonlyMap<string, Event>): readonly Event[] {
  return [...events].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, event]) => event);
}
