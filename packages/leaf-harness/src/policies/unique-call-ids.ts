import type { Message, ToolCall } from '@tadpole/contracts';

/** The calls with an id each that no other call of the history has: their own where it is free, otherwise one made from the turn. */
export function uniqueCallIds(options: { calls: readonly ToolCall[]; messages: readonly Message[] }): ToolCall[] {
  const assistant = options.messages.filter((message) => message.role === 'assistant');
  const used = new Set(assistant.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)));
  return options.calls.map((call, index) => {
    const wanted = call.id || `call_${assistant.length}_${index}`;
    let id = wanted;
    for (let copy = 2; used.has(id); copy += 1) id = `${wanted}_${copy}`;
    used.add(id);
    return { ...call, id };
  });
}
