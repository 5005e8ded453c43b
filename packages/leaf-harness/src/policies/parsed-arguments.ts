/** Deeper values overflow the stack of templates and servers, which walk them by recursion. */
const DEEPEST = 500;

/** The arguments of a call as an object; undefined when the text is not a JSON object, or one of more than 500 levels. */
export function parsedArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isTooDeep(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** What stands for malformed arguments in a history: servers and templates refuse one whose arguments are not an object. */
export function malformed(text: string): Readonly<Record<string, unknown>> {
  return { malformed_arguments: text };
}
