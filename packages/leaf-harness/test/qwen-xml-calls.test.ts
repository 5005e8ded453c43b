import type { ToolDefinition } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { leafTools, qwenXmlCalls, toolDefinition } from '../src/index.js';

const typed: ToolDefinition = {
  name: 'Typed',
  description: '',
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      count: { type: 'integer' },
      ratio: { type: 'number' },
      flag: { type: 'boolean' },
      list: { type: 'array' },
      record: { type: 'object' },
      maybe: { type: ['integer', 'null'] },
      either: { anyOf: [{ type: 'boolean' }, { type: 'integer' }] },
      textOrNull: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      choice: { enum: [1, 2] },
    },
  },
};
const tools = [...leafTools().map(toolDefinition), typed];
const parse = (text: string) => qwenXmlCalls({ text, tools });
const inputs = (text: string) => parse(text).calls.map((call) => JSON.parse(call.arguments) as unknown);
const call = (name: string, body: string) => `<tool_call>\n<function=${name}>\n${body}\n</function>\n</tool_call>`;

describe('qwenXmlCalls', () => {
  it('reads text alone', () => {
    expect(parse('All tests pass now.\n')).toEqual({ content: 'All tests pass now.', calls: [] });
  });

  it('reads several calls with text before them and values of several lines', () => {
    const text = `I change it.

<tool_call>
<function=Edit>
<parameter=file_path>
src/a.py
</parameter>
<parameter=old_string>
def f():

    return 1
</parameter>
<parameter=new_string>
  indented

</parameter>
<parameter=replace_all>
true
</parameter>
</function>
</tool_call>
<tool_call>
<function=Bash>
<parameter=command>
python -m pytest -q
</parameter>
<parameter=timeout>
60
</parameter>
</function>
</tool_call>`;
    expect(parse(text)).toEqual({
      content: 'I change it.',
      calls: [
        {
          name: 'Edit',
          arguments: JSON.stringify({
            file_path: 'src/a.py',
            old_string: 'def f():\n\n    return 1',
            new_string: '  indented\n',
            replace_all: true,
          }),
        },
        { name: 'Bash', arguments: '{"command":"python -m pytest -q","timeout":60}' },
      ],
    });
  });

  it.each([
    ['the end of a parameter', 'a</parameter>b\n</parameter> c'],
    ['the start of a parameter', 'x = "<parameter=y>"'],
    ['the end of a function', 'print("</function>")\n</function>\nmore'],
    ['the tags of a call', 'a <tool_call> b </tool_call> c'],
    ['the start of a function', '<function=Bash>'],
    ['nothing', ''],
    ['a single line end', '\n'],
    ['line ends around it', '\n\na\n\n'],
    ['JSON', '{"a": [1, "</parameter>x"]}'],
  ])('keeps a value that holds %s', (_what, content) => {
    const text = call('Write', `<parameter=content>\n${content}\n</parameter>\n<parameter=file_path>\na.txt\n</parameter>`);
    expect(inputs(text)).toEqual([{ content, file_path: 'a.txt' }]);
    expect(parse(text).content).toBe('');
  });

  it.each([
    ['text', '12', '12'],
    ['text', 'null', 'null'],
    ['count', '12', 12],
    ['count', ' 12 ', 12],
    ['count', 'twelve', 'twelve'],
    ['count', '"12"', '"12"'],
    ['ratio', '-0.5e2', -50],
    ['flag', 'True', true],
    ['flag', 'false', false],
    ['flag', 'yes', 'yes'],
    ['list', '["a", 1]', ['a', 1]],
    ['list', '{"a": 1}', '{"a": 1}'],
    ['record', '{"a": {"b": null}}', { a: { b: null } }],
    ['record', '{"a": ', '{"a": '],
    ['maybe', 'null', null],
    ['maybe', '3', 3],
    ['either', 'true', true],
    ['either', '3', 3],
    ['textOrNull', 'null', null],
    ['textOrNull', '3', '3'],
    ['choice', '2', 2],
    ['unknown', '2', '2'],
  ])('gives %s the value that its schema makes of %j', (name, text, value) => {
    expect(inputs(call('Typed', `<parameter=${name}>\n${text}\n</parameter>`))).toEqual([{ [name]: value }]);
  });

  it('leaves the values of a tool that it does not know as text', () => {
    expect(inputs(call('Unknown', '<parameter=a>\n1\n</parameter>'))).toEqual([{ a: '1' }]);
  });

  it('reads values on the line of their tags, no parameters, and a call without its outer tags', () => {
    expect(inputs('<tool_call><function=Read><parameter=file_path>a.ts</parameter></function></tool_call>')).toEqual([
      { file_path: 'a.ts' },
    ]);
    expect(inputs(call('Glob', ''))).toEqual([{}]);
    expect(parse('Go.\n<function=Read>\n<parameter=file_path>\na\n</parameter>\n</function>\n</tool_call>')).toEqual({
      content: 'Go.',
      calls: [{ name: 'Read', arguments: '{"file_path":"a"}' }],
    });
  });

  it.each([
    ['a parameter that does not end', call('Bash', '<parameter=command>\nls')],
    ['text between its parameters', call('Bash', 'ls -l\n<parameter=command>\nls\n</parameter>')],
    ['JSON instead of parameters', call('Bash', '{"command": "ls"}')],
    ['a cut-off value', '<tool_call>\n<function=Bash>\n<parameter=command>\nls'],
    ['a cut-off end', '<tool_call>\n<function=Bash>\n<parameter=command>\nls\n</parameter>\n'],
  ])('gives a call with %s its own text as malformed arguments', (_what, text) => {
    const { content, calls } = parse(text);
    expect(content).toBe('');
    expect(calls).toEqual([{ name: 'Bash', arguments: expect.stringContaining('<function=Bash>') }]);
    expect(() => JSON.parse(calls[0]!.arguments)).toThrow();
  });

  it('reads the calls beside a malformed one', () => {
    const good = call('Read', '<parameter=file_path>\na\n</parameter>');
    const { calls } = parse([good, call('Bash', 'ls'), good].join('\n'));
    expect(calls.map(({ name }) => name)).toEqual(['Read', 'Bash', 'Read']);
    expect([calls[0]!.arguments, calls[2]!.arguments]).toEqual(['{"file_path":"a"}', '{"file_path":"a"}']);
  });

  it.each(['<tool_call>\nls\n</tool_call>', '<tool_call>', '<function', '</function>', '{"name": "Bash"}'])(
    'leaves %j, which names no tool, as text',
    (text) => {
      expect(parse(text)).toEqual({ content: text, calls: [] });
    },
  );
});
