import type { z } from 'zod';

/** A body that does not have its form: what FastAPI servers answer with 422. */
export class MalformedBody extends Error {
  override readonly name = 'MalformedBody';
  readonly detail: readonly { readonly loc: readonly (string | number)[]; readonly msg: string; readonly type: string }[];

  constructor(detail: MalformedBody['detail']) {
    super(detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '));
    this.detail = detail;
  }
}

/** Checks a body. @throws MalformedBody that names at most ten places */
export function parseBody<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 10);
  throw new MalformedBody(issues.map(({ path, message, code }) => ({ loc: ['body', ...path.map(placeOf)], msg: message, type: code })));
}

function placeOf(key: PropertyKey): string | number {
  return typeof key === 'number' ? key : String(key);
}
