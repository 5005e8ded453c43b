import type { Trajectory, Turn } from '@tadpole/contracts';
import { uniqueCallIds } from '../policies/unique-call-ids.js';
import type { Redactor } from './create-redactor.js';
import { redactValue } from './redact-value.js';

/**
 * The trajectory without secrets. Where one stood anywhere in it, all token segments go: their ids spell the secret,
 * and without the tokenizer nobody can say which of them do. Such a trajectory can be read and not be trained on;
 * `redactions` says how many secrets there were.
 */
export function redactTrajectory(trajectory: Trajectory, options: { redactor: Redactor }): Trajectory {
  const { segments, ...text } = trajectory;
  const { value, count } = redactValue(text, options);
  if (count === 0) return trajectory;
  return { ...value, turns: withDistinctIds(value.turns), segments: [], redactions: (trajectory.redactions ?? 0) + count };
}

/** Ids that became one text are told apart again, so that every answer still names its call. */
function withDistinctIds(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) => {
    const toolCalls = uniqueCallIds({ calls: turn.assistant.toolCalls, messages: [] });
    const observations = turn.observations.map((observation, index) =>
      observation.toolCallId === turn.assistant.toolCalls[index]?.id ? { ...observation, toolCallId: toolCalls[index]!.id } : observation,
    );
    return { ...turn, assistant: { ...turn.assistant, toolCalls }, observations };
  });
}
