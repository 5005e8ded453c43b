import type { ToolCall } from '@tadpole/contracts';

/** Deeper arguments are a model's endless repetition; writing them out again would exhaust the stack. */
const MAX_DEPTH = 100;

/** The value of a call's arguments text. @throws Error that says what is wrong with a text that is no JSON or is nested deeper than 100 levels. */
export function parseArguments({ arguments: text }: Pick<ToolCall, 'arguments'>): unknown {
  const value: unknown = JSON.parse(text);
  if (depthExceeds(value, MAX_DEPTH)) throw new Error(`nested deeper than ${MAX_DEPTH} levels`);
  return value;
}

/** Level by level, since the value may be deeper than the stack. */
function depthExceeds(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((node) => (typeof node === 'object' && node !== null ? Object.values(node) : []));
  }
  return false;
}
