/** A decoded string argument that knows where each of its characters stands in the JSON text. */
export interface LocatedText {
  readonly value: string;
  /** Offsets in the JSON text of the decoded span [start, end). */
  locate(start: number, end: number): { readonly start: number; readonly end: number };
}

/**
 * The string arguments of a tool call, by name, with their places in the JSON text that the model wrote.
 * Arguments that are not a JSON object give none: a harness runs such a call with no arguments at all.
 */
export function locateArguments(json: string): ReadonlyMap<string, LocatedText> {
  const located = new Map<string, LocatedText>();
  if (!isJsonObject(json)) return located;
  let key: string | undefined;
  for (const { start, end, isKey } of topLevelStrings(json)) {
    if (isKey) key = JSON.parse(json.slice(start, end));
    else if (key !== undefined) located.set(key, locateString(json, start, end));
  }
  return located;
}

/** The strings of a JSON object's own keys and values, leaving out what is nested deeper. */
function* topLevelStrings(json: string): Generator<{ start: number; end: number; isKey: boolean }> {
  let depth = 0;
  let isKey = true;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at] ?? '';
    if (character === '"') {
      const end = endOfString(json, at);
      if (depth === 1) yield { start: at, end, isKey };
      at = end - 1;
    } else if ('{['.includes(character)) depth += 1;
    else if ('}]'.includes(character)) depth -= 1;
    else if (depth === 1 && ':,'.includes(character)) isKey = character === ',';
  }
}

function isJsonObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function locateString(json: string, start: number, end: number): LocatedText {
  const value: string = JSON.parse(json.slice(start, end));
  const offsets: number[] = [];
  for (let at = start + 1; at < end - 1; ) {
    offsets.push(at);
    if (json[at] !== '\\') at += 1;
    else at += json[at + 1] === 'u' ? 6 : 2;
  }
  offsets.push(end - 1);
  return { value, locate: (from, to) => ({ start: offsets[from] ?? end - 1, end: offsets[to] ?? end - 1 }) };
}
