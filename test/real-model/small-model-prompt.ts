import type { ChatMessage } from './chat-request-schema.js';

const call = (name: string, input: Record<string, string>) =>
  `<tool_call>\n{"name": "${name}", "arguments": {${Object.entries(input)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    .join(', ')}}}\n</tool_call>`;
const answer = (text: string) => `<tool_response>\n${text}\n</tool_response>`;

/** Worked examples of the tools that this server can offer. */
const examples: Readonly<Record<string, readonly (readonly ['user' | 'assistant', string])[]>> = {
  Edit: [
    ['user', 'In the file app.py, replace "foo" with "bar".'],
    ['assistant', call('Edit', { file_path: 'app.py', old_string: 'foo', new_string: 'bar' })],
    ['user', answer('Edited app.py (1 replacement).')],
    ['assistant', 'Done.'],
    ['user', 'In the file cat.md, replace "black" with "white".'],
    ['assistant', call('Edit', { file_path: 'cat.md', old_string: 'black', new_string: 'white' })],
    ['user', answer('Edited cat.md (1 replacement).')],
    ['assistant', 'Done.'],
  ],
};

/** The tools of a request for which there are no worked examples. */
export function toolsWithoutExamples(tools: readonly string[]): string[] {
  return tools.filter((name) => !(name in examples));
}

/**
 * The text of a conversation for a model of 135 million parameters whose chat template has no tools: ChatML, with
 * worked examples of the offered tools before the conversation, in place of their schemas, which it cannot follow.
 */
export function smallModelPrompt(options: { messages: readonly ChatMessage[]; tools: readonly string[] }): string {
  const isSystem = ({ role }: ChatMessage) => role === 'system';
  const turns = [
    ...options.messages.filter(isSystem).map(({ content }) => ['system', content ?? ''] as const),
    ...options.tools.flatMap((name) => examples[name] ?? []),
    ...options.messages.filter((message) => !isSystem(message)).map(turnOf),
  ];
  return `${turns.map(([role, text]) => `<|im_start|>${role}\n${text}<|im_end|>\n`).join('')}<|im_start|>assistant\n`;
}

function turnOf({ role, content, tool_calls: calls = [] }: ChatMessage): readonly [string, string] {
  if (role === 'tool') return ['user', answer(content ?? '')];
  const written = calls.map(
    (made) => `<tool_call>\n{"name": "${made.function.name}", "arguments": ${made.function.arguments}}\n</tool_call>`,
  );
  return [role, [content ?? '', ...written].filter(Boolean).join('\n')];
}
