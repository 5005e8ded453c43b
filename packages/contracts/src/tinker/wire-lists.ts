import { z } from 'zod';

/**
 * A list of whole numbers, with one issue however many are wrong: a body of millions of wrong ones must not become millions of issues,
 * for which the memory of a server does not suffice.
 */
export const wholeNumbersSchema = listOf<number>({ isRight: Number.isSafeInteger, expected: 'whole numbers' });

/** A list of finite numbers; see `wholeNumbersSchema`. */
export const numbersSchema = listOf<number>({ isRight: Number.isFinite, expected: 'finite numbers' });

/** A list of strings; see `wholeNumbersSchema`. */
export const stringsSchema = listOf<string>({ isRight: (value) => typeof value === 'string', expected: 'strings' });

/** As many as are looked at one by one: each may become an issue. */
const mostLooked = 16_384;

/** A list of objects, which are looked at one by one only when all are objects and not too many; see `wholeNumbersSchema`. */
export function objectsSchema<Schema extends z.ZodType>(schema: Schema) {
  const isRight = (value: unknown) => typeof value === 'object' && value !== null;
  const few = z.custom<z.input<Schema>[]>((value) => !Array.isArray(value) || value.length <= mostLooked, {
    error: `expected at most ${mostLooked} objects`,
  });
  return few.pipe(listOf<z.input<Schema>>({ isRight, expected: 'objects' })).pipe(z.array(schema));
}

/** Values by name, which are looked at one by one only when there are not too many; see `wholeNumbersSchema`. */
export function namedSchema<Schema extends z.ZodType>(schema: Schema) {
  const isFew = (value: unknown) => typeof value !== 'object' || value === null || Object.keys(value).length <= mostLooked;
  const few = z.custom<Record<string, z.input<Schema>>>(isFew, { error: `expected at most ${mostLooked} names` });
  const named: unknown = z.record(z.string(), schema);
  // The record's own type allows for schemas of optional values, of which there are none here.
  return few.pipe(named as z.ZodType<Record<string, z.output<Schema>>, Record<string, z.input<Schema>>>);
}

function listOf<Item>({ isRight, expected }: { isRight: (value: unknown) => boolean; expected: string }) {
  return z.custom<Item[]>((value) => Array.isArray(value) && value.every(isRight), {
    error: ({ input }) => {
      if (!Array.isArray(input)) return `expected a list of ${expected}, got ${typeof input}`;
      return `expected ${expected}, got another value at position ${input.findIndex((value) => !isRight(value))}`;
    },
  });
}
