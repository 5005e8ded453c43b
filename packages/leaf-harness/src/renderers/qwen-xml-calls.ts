import type { ToolDefinition } from '@tadpole/contracts';
import { jsonText } from '../policies/json-text.js';
import type { CallFormat, ParsedTurn } from './call-format.js';
import { matchAt } from './match-at.js';
import { parameterValue } from './parameter-value.js';

type Call = ParsedTurn['calls'][number];

/** Qwen3-Coder is known to leave out the opening tag, as its serving parsers allow. */
const OPEN = /(?:<tool_call>\s*)?<function=([^<>\n]*)>/g;
const CLOSE = /<\/function>/g;
const AFTER_CLOSE = /<\/function>\s*(?:<\/tool_call>)?/y;
const NO_PARAMETERS = /\s*(?=<\/function>)/y;
const FIRST_PARAMETER = /\s*<parameter=[^<>\n]*>/y;
const LAST_PARAMETER_END = /<\/parameter>\s*(?=<\/function>)/g;
/** What may stand after the end of a value; a closing tag before anything else belongs to the value. */
const PARAMETER = /\s*<parameter=([^<>\n]*)>\n?([\s\S]*?)\n?<\/parameter>(?=\s*(?:<parameter=[^<>\n]*>|$))/y;

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
  const endOfFunction = createEndOfFunction(text);
  let from = 0;
  for (const match of text.matchAll(OPEN)) {
    if (match.index < from) continue;
    outside.push(text.slice(from, match.index));
    const start = match.index + match[0].length;
    const { end, isWhole } = endOfFunction(start);
    const body = text.slice(start, end);
    const parameters = isWhole ? readParameters(body) : undefined;
    const name = match[1]!.trim();
    calls.push({ name, arguments: (parameters && typedJson({ name, parameters, tools })) || match[0] + body });
    from = end + (matchAt(AFTER_CLOSE, { text, at: end })?.[0].length ?? 0);
  }
  outside.push(text.slice(from));
  const content = outside.map((part) => part.trim()).filter(Boolean);
  return { content: content.join('\n'), calls };
};

/**
 * Finds the ends of calls, in linear time for all calls of a text. Parameters are whole at the first closing tag that
 * follows the end of one, since what stands before it are values; without such a tag a call ends at the first closing
 * tag or with the text.
 */
function createEndOfFunction(text: string): (start: number) => { end: number; isWhole: boolean } {
  let hasWhole = true;
  return (at) => {
    let whole = matchAt(NO_PARAMETERS, { text, at });
    if (whole === undefined && hasWhole && matchAt(FIRST_PARAMETER, { text, at }) !== undefined) {
      whole = matchAt(LAST_PARAMETER_END, { text, at });
      hasWhole = whole !== undefined;
    }
    if (whole !== undefined) return { end: whole.index + whole[0].length, isWhole: true };
    return { end: matchAt(CLOSE, { text, at })?.index ?? text.length, isWhole: false };
  };
}

/** The parameters of a call in order, or undefined when something else stands between them. */
function readParameters(body: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  let at = 0;
  while (body.slice(at).trim() !== '') {
    const match = matchAt(PARAMETER, { text: body, at });
    if (match === undefined) return undefined;
    parameters.set(match[1]!.trim(), match[2]!);
    at = PARAMETER.lastIndex;
  }
  return parameters;
}

function typedJson(options: { name: string; parameters: ReadonlyMap<string, string>; tools: readonly ToolDefinition[] }): string {
  const tool = options.tools.find(({ name }) => name === options.name);
  const properties = (tool?.parameters.properties ?? {}) as Readonly<Record<string, unknown>>;
  return jsonText(
    Object.fromEntries([...options.parameters].map(([name, text]) => [name, parameterValue({ text, schema: properties[name] })])),
  );
}
