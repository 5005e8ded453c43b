import type { AssistantMessage, ToolCall } from '@tadpole/contracts';
import type { Tokenizer } from '../tokenizer/create-tokenizer.js';
import { specialTokenName } from '../tokenizer/special-tokens.js';
import { CALL_FORMATS, positionalArguments } from './leaf-call-format.js';

/**
 * Reads sampled ids [T] as a message: the text before the first call, then the calls. Total: whatever was sampled is data.
 * Ids after the first `end` are ignored; a special token where text belongs reads as its name in angle brackets.
 * Calls get the ids `call_N`, from `firstCall` on.
 */
export function parseCompletion(options: { ids: readonly number[]; tokenizer: Tokenizer; firstCall: number }): AssistantMessage {
  const { tokenizer, firstCall } = options;
  const [text, ...calls] = splitCalls(options.ids);
  const toolCalls = calls.map(({ token, ids }, index): ToolCall => {
    const values = splitArguments(ids).map((part) => tokenizer.decode(part));
    const id = `call_${firstCall + index}`;
    const format = CALL_FORMATS.find((candidate) => candidate.token === token);
    if (format !== undefined) return { id, name: format.tool, arguments: positionalArguments(format, values) };
    const [name = '', ...rest] = values;
    return { id, name, arguments: rest.join('<arg>') };
  });
  return { role: 'assistant', content: tokenizer.decode(text?.ids ?? []), toolCalls };
}

interface Part {
  readonly token: string;
  readonly ids: number[];
}

function splitCalls(ids: readonly number[]): Part[] {
  const parts: Part[] = [{ token: 'text', ids: [] }];
  for (const id of ids) {
    const token = specialTokenName(id);
    if (token === 'end') break;
    if (token === 'call' || CALL_FORMATS.some((format) => format.token === token)) parts.push({ token: token as string, ids: [] });
    else parts.at(-1)!.ids.push(id);
  }
  return parts;
}

function splitArguments(ids: readonly number[]): number[][] {
  const parts: number[][] = [[]];
  for (const id of ids) {
    if (specialTokenName(id) === 'arg') parts.push([]);
    else parts.at(-1)!.push(id);
  }
  return parts;
}
