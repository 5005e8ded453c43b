import type { ToolCall } from '@tadpole/contracts';
import type { SpecialToken } from '../tokenizer/special-tokens.js';

/**
 * How a call of one tool is written: its token, then the fields in this order, separated by `arg`. A `line` may be written as
 * Read shows it, with its number (`42. text`): writing it is then copying what was read, which even a small policy can; the
 * number is no part of the value.
 */
export interface CallFormat {
  readonly token: SpecialToken;
  readonly tool: string;
  readonly fields: readonly { readonly name: string; readonly type: 'string' | 'integer' | 'line' }[];
}

const text = (name: string) => ({ name, type: 'string' }) as const;
const line = (name: string) => ({ name, type: 'line' }) as const;
const integer = (name: string) => ({ name, type: 'integer' }) as const;

/** The five Leaf tools, with the parameters that a policy of this size writes (frognano.md section 2.2). */
export const CALL_FORMATS: readonly CallFormat[] = [
  { token: 'read', tool: 'Read', fields: [text('file_path'), integer('offset'), integer('limit')] },
  { token: 'write', tool: 'Write', fields: [text('file_path'), text('content')] },
  { token: 'edit', tool: 'Edit', fields: [text('file_path'), line('old_string'), text('new_string')] },
  { token: 'glob', tool: 'Glob', fields: [text('pattern')] },
  { token: 'bash', tool: 'Bash', fields: [text('command')] },
];

/**
 * Values of a call in the order of its format, or undefined when the format cannot hold it: another tool, malformed
 * JSON, a field that the format lacks, a gap, or a value of another type. Such a call is written with the `call` token.
 */
export function positionalValues(call: Pick<ToolCall, 'name' | 'arguments'>): { format: CallFormat; values: string[] } | undefined {
  const format = CALL_FORMATS.find(({ tool }) => tool === call.name);
  const given = parseObject(call.arguments);
  if (format === undefined || given === undefined) return undefined;
  const names = Object.keys(given);
  const fields = format.fields.slice(0, names.length);
  const isInOrder = names.length > 0 && names.length <= format.fields.length && fields.every(({ name }) => Object.hasOwn(given, name));
  if (!isInOrder) return undefined;
  const fits = fields.every(({ name, type }) => (type === 'integer' ? Number.isSafeInteger(given[name]) : typeof given[name] === 'string'));
  return fits ? { format, values: fields.map(({ name }) => String(given[name])) } : undefined;
}

/**
 * JSON text of the arguments that `values` stand for. Fields without a value are absent and an integer field that holds no
 * integer keeps its text, for the tool to refuse; more values than fields cannot be said in JSON and give malformed text.
 */
export function positionalArguments(format: CallFormat, values: readonly string[]): string {
  if (values.length > format.fields.length) return values.join('<arg>');
  const entries = values.map((value, index) => {
    const { name, type } = format.fields[index]!;
    if (type === 'line') return [name, value.replace(/^[1-9]\d{0,8}\. /, '')];
    return [name, type === 'integer' && /^-?(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
