import type { ToolDefinition } from '@tadpole/contracts';
import type { CallFormat, ParsedTurn } from './call-format.js';
import { parameterValue } from './parameter-value.js';

type Call = ParsedTurn['calls'][number];

/** Qwen3-Coder is known to leave out the opening tag, as its serving parsers allow. */
const OPEN = /(?:<tool_call>\s*)?<function=([^>\n]*)>/g;
const FUNCTION_END = /<\/function>\s*(?:<\/tool_call>)?/g;
/** What may stand after the end of a value; a closing tag before anything else belongs to the value. */
const PARAMETER = /\s*<parameter=([^>\n]*)>\n?([\s\S]*?)\n?<\/parameter>(?=\s*(?:<parameter=[^>\n]*>|$))/y;

/**
 * Calls as XML-like tags, each value between tags of its own: Qwen3-Coder, Qwen3.5. A value loses one line end at each
 * side and gets the type that the tool's JSON Schema gives it. A call that does not end, or whose parameters do not, has
 * its own text as its arguments.
 *
 * Not told apart: a value that itself contains `</parameter>` followed by a whole `<parameter=…>` tag, or the end of a call.
 */
export const qwenXmlCalls: CallFormat = ({ text, tools }) => {
  const outside: string[] = [];
  const calls: Call[] = [];
  let from = 0;
  for (const match of text.matchAll(OPEN)) {
    if (match.index < from) continue;
    outside.push(text.slice(from, match.index));
    const start = match.index + match[0].length;
    const { end, next, isClosed } = endOfFunction(text, start);
    const body = text.slice(start, end);
    const parameters = isClosed ? readParameters(body) : undefined;
    const name = match[1]!.trim();
    calls.push({ name, arguments: parameters === undefined ? match[0] + body : typedJson({ name, parameters, tools }) });
    from = next;
  }
  outside.push(text.slice(from));
  const content = outside.map((part) => part.trim()).filter(Boolean);
  return { content: content.join('\n'), calls };
};

/** Ends at the first closing tag before which the parameters are whole; without one, at the first closing tag or the end. */
function endOfFunction(text: string, start: number): { end: number; next: number; isClosed: boolean } {
  const closings = [...text.slice(start).matchAll(FUNCTION_END)];
  const closing = closings.find(({ index }) => readParameters(text.slice(start, start + index)) !== undefined) ?? closings[0];
  if (closing === undefined) return { end: text.length, next: text.length, isClosed: false };
  return { end: start + closing.index, next: start + closing.index + closing[0].length, isClosed: true };
}

/** The parameters of a call in order, or undefined when something else stands between them. */
function readParameters(body: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  let at = 0;
  while (body.slice(at).trim() !== '') {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(body);
    if (match === null) return undefined;
    parameters.set(match[1]!.trim(), match[2]!);
    at = PARAMETER.lastIndex;
  }
  return parameters;
}

function typedJson(options: { name: string; parameters: ReadonlyMap<string, string>; tools: readonly ToolDefinition[] }): string {
  const tool = options.tools.find(({ name }) => name === options.name);
  const properties = (tool?.parameters.properties ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify(
    Object.fromEntries([...options.parameters].map(([name, text]) => [name, parameterValue({ text, schema: properties[name] })])),
  );
}
