import type { AssistantMessage, Renderer } from '@tadpole/contracts';

const END = 256;
const CALL = 257;
const USER = 258;
const ASSISTANT = 259;
const SPACES = 260;

/**
 * A small real renderer for tests: UTF-8 bytes with `SPACES` for two blanks, so that one text has several
 * tokenisations and decoding then encoding changes ids. Keeps the ids of the messages that it parsed.
 */
export function byteRenderer(): Renderer & { readonly vocabularySize: number } {
  const remembered = new WeakMap<AssistantMessage, readonly number[]>();
  const encode = (text: string) => [...Buffer.from(text)];
  const decode = (ids: readonly number[]) =>
    Buffer.from(ids.flatMap((id) => (id === SPACES ? [32, 32] : id < 256 ? [id] : []))).toString('utf8');
  const split = (ids: readonly number[]) => {
    const parts: number[][] = [[]];
    for (const id of ids) id === CALL ? parts.push([]) : parts.at(-1)!.push(id);
    return parts;
  };
  return {
    name: 'bytes',
    vocabularySize: 261,
    stopIds: [END],
    render: (messages) => [
      ...messages.flatMap((message) => {
        if (message.role !== 'assistant') return [USER, ...encode(message.content), END];
        const own = () => [
          ...encode(message.content),
          ...message.toolCalls.flatMap((call) => [CALL, ...encode(`${call.name} ${call.arguments}`)]),
          END,
        ];
        return [ASSISTANT, ...(remembered.get(message) ?? own())];
      }),
      ASSISTANT,
    ],
    parse(ids, messages = []) {
      const [text = [], ...calls] = split(ids.filter((id) => id !== END));
      const before = messages.reduce((count, message) => count + (message.role === 'assistant' ? message.toolCalls.length : 0), 0);
      const message: AssistantMessage = {
        role: 'assistant',
        content: decode(text),
        toolCalls: calls.map((call, index) => {
          const [name = '', ...rest] = decode(call).split(' ');
          return { id: `call_${before + index}`, name, arguments: rest.join(' ') };
        }),
      };
      remembered.set(message, ids);
      return message;
    },
  };
}

/** Ids that a policy would write with {@link byteRenderer}: the text, then calls as `Name {…}`, with every two blanks as one id. */
export function bytesOfTurn(text: string, ...calls: string[]): number[] {
  const encode = (part: string) => part.split('  ').flatMap((piece, index) => [...(index === 0 ? [] : [SPACES]), ...Buffer.from(piece)]);
  return [...encode(text), ...calls.flatMap((call) => [CALL, ...encode(call)]), END];
}
