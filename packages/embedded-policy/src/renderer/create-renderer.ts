import type { AssistantMessage, Message, Renderer, ToolCall } from '@tadpole/contracts';
import type { Tokenizer } from '../tokenizer/create-tokenizer.js';
import { specialTokenId } from '../tokenizer/special-tokens.js';
import { positionalValues } from './leaf-call-format.js';
import { parseCompletion } from './parse-completion.js';

/**
 * Creates the renderer of the embedded policy:
 *
 * `<begin><user>instruction<end><assistant>text<read>lib/a.js<arg>39<arg>8<end><tool>observation<end><assistant>…`
 *
 * A call of a Leaf tool is its token and its arguments in a fixed order; any other call is `<call>name<arg>JSON`. The
 * system prompt and the tool definitions are not rendered: they are the same in every rollout of this harness, so a
 * policy trained in this format has nothing to learn from them, and they would fill its context. Reasoning is not
 * rendered either: this policy writes none.
 *
 * A message that {@link Renderer.parse} made is rendered as the ids it was made from, so that the next prompt extends the
 * sampled ids even where they are not the ones that the tokenizer would choose. Keep the message object itself for
 * that: a copy is tokenised afresh.
 */
export function createRenderer({ tokenizer }: { tokenizer: Tokenizer }): Renderer {
  const sampled = new WeakMap<AssistantMessage, readonly number[]>();
  const begin = specialTokenId('begin');
  const end = specialTokenId('end');
  const assistant = specialTokenId('assistant');

  function messageIds(message: Message): readonly number[] {
    switch (message.role) {
      case 'system':
        return [];
      case 'user':
      case 'tool':
        return [specialTokenId(message.role), ...tokenizer.encode(message.content), end];
      case 'assistant':
        return [assistant, ...(sampled.get(message) ?? assistantIds(message))];
    }
  }

  function assistantIds({ content, toolCalls }: AssistantMessage): number[] {
    return [...tokenizer.encode(content), ...toolCalls.flatMap(callIds), end];
  }

  function callIds(call: ToolCall): number[] {
    const positional = positionalValues(call);
    const token = specialTokenId(positional?.format.token ?? 'call');
    const values = positional?.values ?? [call.name, call.arguments];
    return values.flatMap((value, index) => [index === 0 ? token : specialTokenId('arg'), ...tokenizer.encode(value)]);
  }

  return {
    name: 'tadpole-embedded-1',
    stopIds: [end],
    render: (messages) => [begin, ...messages.flatMap(messageIds), assistant],
    parse(ids, messages = []) {
      const message = parseCompletion({ ids, tokenizer, firstCall: 1 + countCalls(messages) });
      sampled.set(message, ids.includes(end) ? [...ids] : [...ids, end]);
      return message;
    },
  };
}

function countCalls(messages: readonly Message[]): number {
  return messages.reduce((count, message) => count + (message.role === 'assistant' ? message.toolCalls.length : 0), 0);
}
