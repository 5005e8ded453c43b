import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

/** Parses a part of a document. @throws TadpoleError `invalid-input` that names the part and what is wrong with it. */
export function parseAtif<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new TadpoleError({ code: 'invalid-input', message: `ATIF ${what}: ${z.prettifyError(parsed.error)}`, cause: parsed.error });
}
