import { jsonText } from '../policies/json-text.js';
import type { CallFormat, ParsedTurn } from './call-format.js';
import { endOfJson } from './end-of-json.js';
import { matchAt } from './match-at.js';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';
const TAG = /<\/?tool_call>/g;
const CLOSING = /(\s*)<\/tool_call>/y;

/** The members in their usual order, so that the arguments stay as they were written. */
const NAME_THEN_ARGUMENTS = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.){0,1000}")\s*,\s*"(?:arguments|parameters)"\s*:\s*([\s\S]*)$/;

type Call = ParsedTurn['calls'][number];

/**
 * Calls as JSON between tags, `<tool_call>{"name": …, "arguments": {…}}</tool_call>`: Hermes, Qwen2.5, Qwen3. A closing tag
 * inside a JSON string does not end a call. A call that is not JSON keeps its name and what was written as its arguments;
 * one without a name is text.
 */
export const hermesCalls: CallFormat = ({ text }) => {
  const outside: string[] = [];
  const calls: Call[] = [];
  let from = 0;
  for (let open = text.indexOf(OPEN); open !== -1; open = text.indexOf(OPEN, from)) {
    const { end, next } = endOfCall(text, open + OPEN.length);
    const call = readCall(text.slice(open + OPEN.length, end));
    outside.push(text.slice(from, call === undefined ? next : open));
    if (call !== undefined) calls.push(call);
    from = next;
  }
  outside.push(text.slice(from));
  const content = outside.map((part) => part.trim()).filter(Boolean);
  return { content: content.join('\n'), calls };
};

/** Ends at the closing tag that leaves JSON before it; without one, at the first tag or the end of the text. */
function endOfCall(text: string, start: number): { end: number; next: number } {
  const value = endOfJson({ text, start });
  if (value !== undefined) {
    const [closing, spaces = ''] = matchAt(CLOSING, { text, at: value }) ?? [];
    const end = value + spaces.length;
    if (closing !== undefined && parseJson(text.slice(start, end)) !== undefined) return { end, next: end + CLOSE.length };
  }
  const tag = matchAt(TAG, { text, at: start });
  if (tag === undefined) return { end: text.length, next: text.length };
  return { end: tag.index, next: tag[0] === CLOSE ? tag.index + CLOSE.length : tag.index };
}

function readCall(body: string): Call | undefined {
  const [, quotedName = '', written = ''] = NAME_THEN_ARGUMENTS.exec(body) ?? [];
  const value = parseJson(body) as Record<string, unknown> | null | undefined;
  if (value === undefined) {
    const name = parseJson(quotedName);
    return typeof name === 'string' ? { name, arguments: unquoted(written.trim()) } : undefined;
  }
  if (typeof value?.name !== 'string') return undefined;
  const withoutBrace = written.trimEnd().slice(0, -1).trim();
  const isWhole = parseJson(withoutBrace) !== undefined;
  return {
    name: value.name,
    arguments: unquoted(isWhole ? withoutBrace : jsonText(value.arguments ?? value.parameters)),
  };
}

/** Models sometimes write the arguments as a JSON string that holds JSON. */
function unquoted(text: string): string {
  const value = parseJson(text);
  return typeof value === 'string' ? value : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
