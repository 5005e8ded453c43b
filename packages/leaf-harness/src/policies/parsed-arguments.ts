/** The arguments of a call as an object; undefined when the text is not a JSON object. */
export function parsedArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** What stands for malformed arguments in a history: servers and templates refuse one whose arguments are not an object. */
export function malformed(text: string): Readonly<Record<string, unknown>> {
  return { malformed_arguments: text };
}
