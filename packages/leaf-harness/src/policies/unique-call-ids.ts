import type { Message, ToolCall } from '@tadpole/contracts';

/** The calls with an id each that no other call of the history has: their own where it is free, otherwise one made from the turn. */
export function uniqueCallIds(options: { calls: readonly ToolCall[]; messages: readonly Message[] }): ToolCall[] {
  const assistant = options.messages.filter((message) => message.role === 'assistant');
  const used = new Set(assistant.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)));
  const copies = new Map<string, number>();
  return options.calls.map((call, index) => {
    const wanted = call.id || `call_${assistant.length}_${index}`;
    let id = wanted;
    // Numbers that were tried stay used, so that many calls of one id take no more than one try each.
    for (let copy = copies.get(wanted) ?? 2; used.has(id); copy += 1) {
      id = `${wanted}_${copy}`;
      copies.set(wanted, copy + 1);
    }
    used.add(id);
    return { ...call, id };
  });
}
