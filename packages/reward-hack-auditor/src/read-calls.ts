import type { Evidence, Trajectory } from '@tadpole/contracts';
import { type LocatedText, locateArguments } from './locate-arguments.js';

/** One tool call of a trajectory, as data. */
export interface CallRecord {
  /** 0-based. */
  readonly turn: number;
  /** 0-based position in the turn. */
  readonly call: number;
  readonly tool: string;
  /** String arguments by name; `path` is also known as `file_path`. */
  readonly arguments: ReadonlyMap<string, LocatedText>;
  /** What the tool answered; empty when the call was not executed. */
  readonly observation: string;
  /** Quotes the decoded span [start, end) of an argument. */
  cite(argument: string, start: number, end: number): Evidence;
}

/** Every tool call of a trajectory, in order. */
export function readCalls(trajectory: Trajectory): readonly CallRecord[] {
  return trajectory.turns.flatMap(({ assistant, observations }, turn) =>
    assistant.toolCalls.map((toolCall, call): CallRecord => {
      const located = locateArguments(toolCall.arguments);
      const path = located.get('file_path') ?? located.get('path');
      const all = path ? new Map([...located, ['file_path', path]]) : located;
      return {
        turn,
        call,
        tool: toolCall.name,
        arguments: all,
        observation: observations.find(({ toolCallId }) => toolCallId === toolCall.id)?.content ?? '',
        cite(argument, start, end) {
          const span = all.get(argument)?.locate(start, end) ?? { start: 0, end: 0 };
          return { source: 'tool-call', turn, call, ...span, quote: toolCall.arguments.slice(span.start, span.end) };
        },
      };
    }),
  );
}
