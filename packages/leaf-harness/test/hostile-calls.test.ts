import type { ToolDefinition } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { hermesCalls, qwenXmlCalls } from '../src/index.js';
import { parsedArguments } from '../src/policies/parsed-arguments.js';
import { uniqueCallIds } from '../src/policies/unique-call-ids.js';

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** With work that grows as the square of these lengths, no test here would end within its time. */
const many = 30_000;

describe('hermesCalls in linear time', () => {
  it.each([
    ['empty calls', '<tool_call></tool_call>', ''],
    ['openings', '<tool_call>', ''],
    ['openings and then closings', '<tool_call>', '</tool_call>'],
    ['closings in a string', '</tool_call>', ''],
    ['strings that do not end', '<tool_call>{"', ''],
    ['lists that do not end', '<tool_call>[",', ''],
  ])('leaves %s as text', (_what, first, second) => {
    const text = `<tool_call>{"${first.repeat(many)}${second.repeat(many)}`;
    expect(hermesCalls({ text, tools: [] }).calls).toEqual([]);
  });

  it('reads many calls, whole and malformed', () => {
    const call = '<tool_call>{"name": "f", "arguments": {"a": "</tool_call>"}}</tool_call>';
    expect(hermesCalls({ text: call.repeat(many), tools: [] }).calls).toHaveLength(many);
    expect(hermesCalls({ text: '<tool_call>{"name": "f", "arguments": {"a\n</tool_call>'.repeat(many), tools: [] }).calls).toHaveLength(
      many,
    );
  });

  it('reads arguments that are nested deeper than the stack', () => {
    const [inOrder, turned] = [`"name":"f","arguments":${deep(50_000)}`, `"arguments":${deep(50_000)},"name":"f"`].map(
      (members) => hermesCalls({ text: `<tool_call>{${members}}</tool_call>`, tools: [] }).calls,
    );
    expect(inOrder).toEqual([{ name: 'f', arguments: deep(50_000) }]);
    expect(turned).toMatchObject([{ name: 'f' }]);
  });
});

describe('qwenXmlCalls in linear time', () => {
  it.each([
    ['calls without parameters', '<function=a>x</function>', many],
    ['values that do not end', '<function=a><parameter=a></function>', many],
    ['text after a value', '<function=a><parameter=a>x</parameter>y</function>', many],
    ['names that do not end', '<function=', 0],
    ['calls whose ends stand in values', '<function=a><parameter=a></function><parameter=b></parameter><parameter=c>', many],
  ])('reads %s', (_what, text, count) => {
    expect(qwenXmlCalls({ text: text.repeat(many), tools: [] }).calls).toHaveLength(count);
  });

  it('reads one call of many values, and one value of many ends', () => {
    const parameters = Array.from({ length: many }, (_, index) => `<parameter=p${index}>x</parameter>`).join('');
    const [whole] = qwenXmlCalls({ text: `<function=a>${parameters}</function>`, tools: [] }).calls;
    expect(Object.keys(JSON.parse(whole!.arguments) as object)).toHaveLength(many);
    const value = 'x</parameter>y</function>'.repeat(many);
    const [held] = qwenXmlCalls({ text: `<function=a><parameter=a>${value}</parameter></function>`, tools: [] }).calls;
    expect(JSON.parse(held!.arguments)).toEqual({ a: value });
  });

  it('has its own text for a value that is nested deeper than the stack', () => {
    const tools: ToolDefinition[] = [{ name: 'a', description: '', parameters: { properties: { a: { type: 'array' } } } }];
    const body = `<function=a><parameter=a>${deep(50_000)}</parameter>`;
    expect(qwenXmlCalls({ text: `${body}</function>`, tools }).calls).toEqual([{ name: 'a', arguments: body }]);
  });
});

describe('calls of an answer', () => {
  it('get ids of their own in linear time', () => {
    const ids = (count: number) => Array.from({ length: count }, () => ({ id: 'x', name: 'f', arguments: '{}' }));
    const calls = uniqueCallIds({ calls: ids(many), messages: [] });
    expect(new Set(calls.map(({ id }) => id)).size).toBe(many);
    expect(calls.slice(0, 3).map(({ id }) => id)).toEqual(['x', 'x_2', 'x_3']);
  });

  it('have malformed arguments where these are nested deeper than a template or a server walks', () => {
    expect(parsedArguments(`{"a":${deep(499)}}`)).toBeDefined();
    expect(parsedArguments(`{"a":${deep(501)}}`)).toBeUndefined();
    expect(parsedArguments(`{"a":${deep(100_000)}}`)).toBeUndefined();
  });
});
