import type { AssistantMessage, Message, ToolCall } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRenderer } from '../src/renderer/create-renderer.js';
import { createTokenizer } from '../src/tokenizer/create-tokenizer.js';
import { specialTokenId } from '../src/tokenizer/special-tokens.js';
import { FIRST_MERGE_ID } from '../src/tokenizer/tokenizer-data.js';
import { trainTokenizer } from '../src/tokenizer/train-tokenizer.js';

const texts = ['Fix lib/utils.js lines 39-46. Line 42 is wrong: expected 3, got 4. return a === b; '.repeat(9)];
const tokenizer = createTokenizer(trainTokenizer({ texts, vocabularySize: FIRST_MERGE_ID + 50 }));
const renderer = createRenderer({ tokenizer });
const call = (name: string, input: object, id = 'call_1'): ToolCall => ({ id, name, arguments: JSON.stringify(input) });
const assistant = (content: string, ...toolCalls: ToolCall[]): AssistantMessage => ({ role: 'assistant', content, toolCalls });
const user: Message = { role: 'user', content: 'Fix lib/a.js lines 39-46: expected 3, got 4.' };

/** The ids that a policy would write for a message. */
function written(message: AssistantMessage): readonly number[] {
  const prompt = renderer.render([user], []);
  return renderer.render([user, message], []).slice(prompt.length, -1);
}

describe('an edit', () => {
  it('may write its old text as Read shows it; the number is no part of the argument', () => {
    const numbered = assistant('', call('Edit', { file_path: 'lib/a.js', old_string: '42.   return a;', new_string: '  return b;' }));
    const [edit] = renderer.parse(written(numbered)).toolCalls;
    expect(JSON.parse(edit?.arguments ?? '')).toEqual({ file_path: 'lib/a.js', old_string: '  return a;', new_string: '  return b;' });
  });
});

describe('rendering', () => {
  it('writes a conversation as messages between their tokens, ending where the assistant writes', () => {
    const messages: Message[] = [
      { role: 'system', content: 'You are a coding agent.' },
      user,
      assistant('', call('Read', { file_path: 'lib/a.js', offset: 39, limit: 8 })),
      { role: 'tool', toolCallId: 'call_1', content: 'lib/a.js\n39. return a;' },
      assistant(
        'Now.',
        call('Edit', { file_path: 'lib/a.js', old_string: 'return a;', new_string: '' }),
        call('Bash', { command: 'npm test' }),
      ),
    ];
    expect(tokenizer.decode(renderer.render(messages, []))).toBe(
      '<begin><user>Fix lib/a.js lines 39-46: expected 3, got 4.<end>' +
        '<assistant><read>lib/a.js<arg>39<arg>8<end><tool>lib/a.js\n39. return a;<end>' +
        '<assistant>Now.<edit>lib/a.js<arg>return a;<arg><bash>npm test<end><assistant>',
    );
  });

  it('writes what a positional call cannot hold as a name with JSON', () => {
    for (const odd of [
      call('Edit', { file_path: 'a', old_string: 'b', new_string: 'c', replace_all: true }),
      call('Search', { query: 'x' }),
    ]) {
      const ids = written(assistant('', odd));
      expect(ids[0]).toBe(specialTokenId('call'));
      expect(renderer.parse(ids).toolCalls).toEqual([odd]);
    }
  });
});

describe('parsing', () => {
  const parse = (text: readonly (string | number)[]) =>
    renderer.parse(text.flatMap((part) => (typeof part === 'string' ? tokenizer.encode(part) : [part])));
  const [read, edit, arg, end] = (['read', 'edit', 'arg', 'end'] as const).map(specialTokenId) as [number, number, number, number];

  it('gives offsets as numbers, leaves missing fields out and keeps text where a number belongs', () => {
    expect(parse([read, 'lib/a.js', arg, '39', arg, '8', end]).toolCalls[0]?.arguments).toBe(
      '{"file_path":"lib/a.js","offset":39,"limit":8}',
    );
    expect(parse([read, 'lib/a.js', end]).toolCalls[0]?.arguments).toBe('{"file_path":"lib/a.js"}');
    expect(parse([read, 'lib/a.js', arg, 'all', end]).toolCalls[0]?.arguments).toBe('{"file_path":"lib/a.js","offset":"all"}');
  });

  it('gives arguments that are no JSON when there are too many', () => {
    const [first] = parse([edit, 'a', arg, 'b', arg, 'c', arg, 'd', end]).toolCalls;
    expect(() => JSON.parse(first?.arguments ?? '')).toThrow();
  });

  it('numbers calls after those of the history', () => {
    const history = [user, assistant('', call('Read', { file_path: 'a' }))];
    expect(renderer.parse(written(assistant('', call('Glob', { pattern: '*' }))), history).toolCalls[0]?.id).toBe('call_2');
  });

  it('reads back every message that it wrote', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    const anyCall = fc.oneof(
      fc.record({ file_path: text, offset: fc.nat(), limit: fc.nat() }).map((input) => ['Read', input] as const),
      fc.record({ file_path: text, old_string: text, new_string: text }).map((input) => ['Edit', input] as const),
      fc.record({ file_path: text, content: text }).map((input) => ['Write', input] as const),
      fc.record({ command: text }).map((input) => ['Bash', input] as const),
      fc.record({ pattern: text, path: text }).map((input) => ['Glob', input] as const),
    );
    fc.assert(
      fc.property(text, fc.array(anyCall, { maxLength: 3 }), (content, calls) => {
        const message = assistant(content, ...calls.map(([name, input], index) => call(name, input, `call_${index + 1}`)));
        expect(renderer.parse(written(message))).toEqual(message);
      }),
    );
  });

  it('never throws, and the next prompt extends whatever ids were sampled', () => {
    const id = fc.oneof(fc.nat(tokenizer.vocabularySize - 1), fc.nat(13));
    const turn = fc.array(id, { maxLength: 12 }).map((ids) => ids.filter((value) => value !== end));
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), fc.boolean(), (turns, isEnded) => {
        const messages: Message[] = [user];
        let known: readonly number[] = renderer.render(messages, []);
        for (const ids of turns) {
          const sampled = isEnded ? [...ids, end] : ids;
          const message = renderer.parse(sampled, messages);
          messages.push(message, ...message.toolCalls.map(({ id: toolCallId }): Message => ({ role: 'tool', toolCallId, content: 'ok' })));
          const next = renderer.render(messages, []);
          expect(next.slice(0, known.length + sampled.length)).toEqual([...known, ...sampled]);
          known = next;
        }
        const ids = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls.map((toolCall) => toolCall.id) : []));
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 300 },
    );
  });
});
