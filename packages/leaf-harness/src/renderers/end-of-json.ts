import { matchAt } from './match-at.js';

const START = /\s*(?=["{[])/y;
const TOKEN = /["{}[\]<\\]/g;
const STRING_TOKEN = /["\\]/g;

/**
 * Where the JSON object, array or string that begins at a place would end: behind its last bracket or quote. Undefined
 * where it does not end, or where a tag or a backslash stands outside of its strings, which no JSON has; so values that
 * begin one behind the other are read in linear time. What it finds need not be JSON.
 */
export function endOfJson(options: { text: string; start: number }): number | undefined {
  const { text, start } = options;
  const spaces = matchAt(START, { text, at: start })?.[0];
  if (spaces === undefined) return undefined;
  let at: number | undefined = start + spaces.length;
  let depth = 0;
  do {
    const token = matchAt(TOKEN, { text, at });
    if (token === undefined || token[0] === '<' || token[0] === '\\') return undefined;
    at = token.index + 1;
    if (token[0] === '"') at = endOfString(text, at);
    else depth += token[0] === '{' || token[0] === '[' ? 1 : -1;
  } while (at !== undefined && depth > 0);
  return at;
}

function endOfString(text: string, start: number): number | undefined {
  let token = matchAt(STRING_TOKEN, { text, at: start });
  while (token?.[0] === '\\') token = matchAt(STRING_TOKEN, { text, at: token.index + 2 });
  return token && token.index + 1;
}
