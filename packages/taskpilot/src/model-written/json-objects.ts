/** Openings tried in one text; a text with more that lead nowhere is no answer. */
const mostOpenings = 200;

/**
 * The JSON objects that stand in a text, outermost ones only, in order: alone, between prose, or inside code fences.
 * Nothing is repaired: an object with a comment, a trailing comma or a missing brace is none.
 */
export function jsonObjects(text: string): object[] {
  const objects: object[] = [];
  let at = text.indexOf('{');
  for (let openings = 0; at !== -1 && openings < mostOpenings; openings++) {
    const end = closingBrace(text, at);
    const value = end === undefined ? undefined : parse(text.slice(at, end));
    if (value !== undefined) objects.push(value);
    at = text.indexOf('{', end ?? at + 1);
  }
  return objects;
}

/** Offset behind the brace that closes the one at `start`, braces inside JSON strings aside. */
function closingBrace(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}

function parse(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
