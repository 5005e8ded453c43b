import type { AssistantMessage, Message } from '@tadpole/contracts';

/**
 * The message with an id of its own for every call: endpoints repeat ids, and then no answer could say which call it
 * belongs to. Returns the very object where nothing repeats, since a renderer may remember it.
 */
export function withUniqueCallIds(options: { message: AssistantMessage; history: readonly Message[] }): AssistantMessage {
  const { message, history } = options;
  const taken = new Set(history.flatMap((earlier) => (earlier.role === 'assistant' ? earlier.toolCalls.map(({ id }) => id) : [])));
  let repeats = false;
  const toolCalls = message.toolCalls.map((call) => {
    let id = call.id;
    for (let number = 2; taken.has(id); number += 1) id = `${call.id}-${number}`;
    taken.add(id);
    repeats ||= id !== call.id;
    return { ...call, id };
  });
  return repeats ? { ...message, toolCalls } : message;
}
