import { z } from 'zod';
import type { LineReach } from './line-reach.js';

const linesSchema = z.array(z.int().nonnegative());
const reachSchema = z.object({
  complete: z.literal(true),
  files: z.record(z.string(), z.object({ imported: linesSchema, executed: linesSchema, lines: linesSchema })),
});

/**
 * Reads what the line tracer left.
 *
 * @returns `undefined` for other text, and for a run whose trace function was replaced, which says too little.
 */
export function readPythonReach(text: string): ReadonlyMap<string, LineReach> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = reachSchema.safeParse(value);
  if (!parsed.success) return undefined;
  return new Map(
    Object.entries(parsed.data.files).map(([file, { imported, executed, lines }]) => [
      file,
      { imported: new Set(imported), executed: new Set(executed), lines },
    ]),
  );
}
