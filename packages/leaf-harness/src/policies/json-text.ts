/** The JSON text of a value; empty for what has none, such as a value whose nesting is deeper than the stack. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
