import type { AuditCall, AuditSubject, Evidence } from '@tadpole/contracts';
import { type LocatedText, locateArguments } from '../locate-arguments.js';
import { oncePerSubject } from './once-per-subject.js';

/** One tool call of a trajectory, as data. */
export interface CallRecord {
  /** 0-based. */
  readonly turn: number;
  /** 0-based position in the turn. */
  readonly call: number;
  readonly tool: string;
  /** String arguments by name; `path` is also known as `file_path`. */
  readonly arguments: ReadonlyMap<string, LocatedText>;
  /** Every argument by name, decoded; empty where the JSON is broken. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What the tool answered; empty when the call was not executed. */
  readonly observation: string;
  /** Quotes the decoded span [start, end) of a string argument. @default the whole argument */
  cite(argument: string, start?: number, end?: number): Evidence;
  /** Quotes the span [start, end) of the observation. */
  citeObservation(start: number, end: number): Evidence;
}

/** Every tool call of a subject, in order. */
export const callsOf: (subject: AuditSubject) => readonly CallRecord[] = oncePerSubject((subject) =>
  subject.turns.flatMap(({ calls }, turn) => calls.map((item, call) => readCall({ item, turn, call }))),
);

function readCall(options: { item: AuditCall; turn: number; call: number }): CallRecord {
  const { item, turn, call } = options;
  const located = locateArguments(item.arguments);
  const path = located.get('file_path') ?? located.get('path');
  const all = path ? new Map([...located, ['file_path', path]]) : located;
  return {
    turn,
    call,
    tool: item.name,
    arguments: all,
    values: readValues(item.arguments),
    observation: item.observation,
    cite(argument, start = 0, end = all.get(argument)?.value.length ?? 0) {
      const span = all.get(argument)?.locate(start, end) ?? { start: 0, end: item.arguments.length };
      return { source: 'tool-call', turn, call, ...span, quote: item.arguments.slice(span.start, span.end) };
    },
    citeObservation(start, end) {
      return { source: 'observation', turn, call, start, end, quote: item.observation.slice(start, end) };
    },
  };
}

function readValues(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
