import type { AssistantMessage, Message } from '@tadpole/contracts';
import { uniqueCallIds } from '../policies/unique-call-ids.js';

/**
 * The message with an id of its own for every call: where ids repeat, no answer could say which call it belongs to.
 * Returns the very object where nothing repeats.
 */
export function withUniqueCallIds(options: { message: AssistantMessage; history: readonly Message[] }): AssistantMessage {
  const { message, history } = options;
  const toolCalls = uniqueCallIds({ calls: message.toolCalls, messages: history });
  return toolCalls.every(({ id }, index) => id === message.toolCalls[index]?.id) ? message : { ...message, toolCalls };
}
