import type { Message, ToolDefinition } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { createRepairPolicy } from '../src/index.js';
import { readPlace } from '../src/repair/read-place.js';
import { sampleFiles } from './support/sample-project.js';

const tools: readonly ToolDefinition[] = [];
const bug = (sampleFiles['lib/range.js'] ?? '').replace('value <= high', 'value < high');
const statement = 'Fix lib/range.js lines 1-8. Line 5 is wrong: expected true, got false.';
const shown = ['lib/range.js', ...bug.split('\n').map((line, index) => `${index + 1}. ${line}`)].join('\n');
const policy = createRepairPolicy();

async function turn(options: { seed: number; messages: readonly Message[] }) {
  const { message } = await policy.respond({
    ...options,
    tools,
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 100, seed: options.seed },
  });
  const [call] = message.toolCalls;
  return call === undefined ? { content: message.content } : { name: call.name, input: JSON.parse(call.arguments) };
}

const asked = (content: string): Message[] => [
  { role: 'system', content: 'x' },
  { role: 'user', content },
];
const read = (content: string): Message[] => [
  ...asked(statement),
  { role: 'assistant', content: '', toolCalls: [{ id: 'repair-Read', name: 'Read', arguments: '{}' }] },
  { role: 'tool', toolCallId: 'repair-Read', content },
];

describe('the repair policy', () => {
  it('reads the stated place, makes one change of an operator in the stated line, and ends', async () => {
    expect(await turn({ seed: 1, messages: asked(statement) })).toEqual({
      name: 'Read',
      input: { file_path: 'lib/range.js', offset: 1, limit: 161 },
    });
    const { name, input } = await turn({ seed: 1, messages: read(shown) });
    expect(name).toBe('Edit');
    expect(bug.split(input.old_string)).toHaveLength(2);
    const changed = bug.replace(input.old_string, () => input.new_string).split('\n');
    const lines = bug.split('\n').flatMap((line, index) => (line === changed[index] ? [] : [index + 1]));
    expect(lines[0]).toBe(5);
    expect(await turn({ seed: 1, messages: [...read(shown), ...read(shown).slice(2)] })).toEqual({ content: 'Done.' });
  });

  it('finds the fix with some seeds, and gives the same answer for the same one', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, seed) => turn({ seed, messages: read(shown) })));
    const fixes = answers.filter(({ input }) => bug.replace(input.old_string, () => input.new_string) === sampleFiles['lib/range.js']);
    expect(fixes.length).toBeGreaterThan(0);
    expect(fixes.length).toBeLessThan(60);
    expect(await turn({ seed: 7, messages: read(shown) })).toEqual(answers[7]);
  });

  it('takes lines around a change along until they occur once, also in the middle of a long file', async () => {
    const text = 'a = 1 < 2;\nb();\na = 1 < 2;\nc();'.split('\n');
    const part = ['x.js', ...text.map((line, index) => `${index + 100}. ${line}`)].join('\n');
    const messages = read(part).map((message) =>
      message.role === 'user' ? { ...message, content: 'Fix x.js lines 98-105. Line 102 is wrong: e.' } : message,
    );
    const { input } = await turn({ seed: 3, messages });
    expect(input.old_string).toMatch(/^b\(\);\na = 1 < 2;(\nc\(\);)?$/);
  });

  it('leaves a statement without a place, and a file of no known language, alone', async () => {
    expect(await turn({ seed: 1, messages: asked('Fix the failure of "adds": expected 1, got 2.') })).toEqual({ content: 'Done.' });
    const messages = read('notes.txt\n1. a < b').map((message) =>
      message.role === 'user' ? { ...message, content: 'Fix notes.txt: x.' } : message,
    );
    expect(await turn({ seed: 1, messages })).toEqual({ content: 'No change of an operator is possible there.' });
  });

  it('reads the place of every template that names one', () => {
    expect(readPlace('Fix lib/a.js lines 1-8: expected 3, got 4.')).toEqual({ file: 'lib/a.js', line: null });
    expect(readPlace('Fix lib/a.js lines 1-8. Line 3 is wrong: x.\n3.   y')).toEqual({ file: 'lib/a.js', line: 3 });
    expect(readPlace('Fix lib/a.js: expected 3, got 4.')).toEqual({ file: 'lib/a.js', line: null });
    expect(readPlace('`f` gives a wrong result\n\nThe fault is in `f` of `lib/a.py`.')).toEqual({ file: 'lib/a.py', line: null });
    expect(readPlace('Do something else: now.')).toBeNull();
  });
});
