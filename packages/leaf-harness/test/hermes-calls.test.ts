import { describe, expect, it } from 'vitest';
import { hermesCalls } from '../src/index.js';

const parse = (text: string) => hermesCalls({ text, tools: [] });

describe('hermesCalls', () => {
  it('reads text alone', () => {
    expect(parse('  All tests pass now.\n')).toEqual({ content: 'All tests pass now.', calls: [] });
  });

  it('reads several calls with text around them, the arguments as they were written', () => {
    const text = [
      'I read both.',
      '<tool_call>',
      '{"name": "Read", "arguments": {"file_path":"a.ts",  "offset": 12345678901234567890}}',
      '</tool_call>',
      '<tool_call>{"name":"Bash","arguments":{"command": "sed -i \'s/\\"a\\"/b/\' x\\n"}}</tool_call>',
      'Then I go on.',
    ].join('\n');
    expect(parse(text)).toEqual({
      content: 'I read both.\nThen I go on.',
      calls: [
        { name: 'Read', arguments: '{"file_path":"a.ts",  "offset": 12345678901234567890}' },
        { name: 'Bash', arguments: '{"command": "sed -i \'s/\\"a\\"/b/\' x\\n"}' },
      ],
    });
  });

  it('keeps a closing tag that stands in an argument', () => {
    const input = '{"content": "x = \'</tool_call>\'; y = \'<tool_call>\'"}';
    expect(parse(`<tool_call>\n{"name": "Write", "arguments": ${input}}\n</tool_call>`)).toEqual({
      content: '',
      calls: [{ name: 'Write', arguments: input }],
    });
  });

  it.each([
    ['arguments that are a JSON string', '{"name": "f", "arguments": "{\\"a\\": 1}"}', '{"a": 1}'],
    ['arguments before the name', '{"arguments": {"a": 1}, "name": "f"}', '{"a":1}'],
    ['further members', '{"name": "f", "arguments": {"a": 1}, "id": {"b": 2}}', '{"a":1}'],
    ['parameters instead of arguments', '{"name": "f", "parameters": {"a": 1}}', '{"a": 1}'],
    ['no arguments', '{"name": "f"}', ''],
    ['a last brace that is missing', '{"name": "f", "arguments": {"a": 1}', '{"a": 1}'],
  ])('reads a call with %s', (_what, body, text) => {
    expect(parse(`<tool_call>\n${body}\n</tool_call>`).calls).toEqual([{ name: 'f', arguments: text }]);
  });

  it.each([
    ['a line end in a string', '{"name": "Bash", "arguments": {"command": "a\nb"}}', '{"command": "a\nb"}}'],
    ['a brace too many', '{"name": "Bash", "arguments": {"command": "a"}}}', '{"command": "a"}}}'],
    ['single quotes', '{"name": "Bash", "arguments": {\'command\': \'a\'}}', "{'command': 'a'}}"],
  ])('gives a call with %s back with its malformed arguments', (_what, body, text) => {
    const { calls } = parse(`<tool_call>\n${body}\n</tool_call>`);
    expect(calls).toEqual([{ name: 'Bash', arguments: text }]);
    expect(() => JSON.parse(text)).toThrow();
  });

  it('reads the calls beside a malformed one', () => {
    const good = '<tool_call>\n{"name": "Read", "arguments": {}}\n</tool_call>';
    expect(parse(`${good}<tool_call>\n{"name": "Bash", "arguments": {"com\n</tool_call>${good}`).calls).toEqual([
      { name: 'Read', arguments: '{}' },
      { name: 'Bash', arguments: '{"com' },
      { name: 'Read', arguments: '{}' },
    ]);
  });

  it('reads a call without its closing tag, whole or cut off, and the one after it', () => {
    expect(parse('<tool_call>\n{"name": "Read", "arguments": {"a": 1}}').calls).toEqual([{ name: 'Read', arguments: '{"a": 1}' }]);
    expect(parse('<tool_call>\n{"name": "Read", "arguments": {"a": "b').calls).toEqual([{ name: 'Read', arguments: '{"a": "b' }]);
    expect(parse('<tool_call>\n{"name": "A", "arguments": {}}\n<tool_call>\n{"name": "B", "arguments": {}}\n</tool_call>').calls).toEqual([
      { name: 'A', arguments: '{}' },
      { name: 'B', arguments: '{}' },
    ]);
  });

  it.each([
    '<tool_call>\nls -l\n</tool_call>',
    '<tool_call>\n{"arguments": {}}\n</tool_call>',
    '<tool_call>',
    '</tool_call> alone',
    '<tool_call>[1]</tool_call>',
  ])('leaves %j, which names no tool, as text', (text) => {
    expect(parse(text)).toEqual({ content: text, calls: [] });
  });
});
