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

/** A list of objects, which are looked at one by one only when all are objects; see `wholeNumbersSchema`. */
export function objectsSchema<Schema extends z.ZodType>(schema: Schema) {
  const isRight = (value: unknown) => typeof value === 'object' && value !== null;
  return listOf<z.input<Schema>>({ isRight, expected: 'objects' }).pipe(z.array(schema));
}

function listOf<Item>({ isRight, expected }: { isRight: (value: unknown) => boolean; expected: string }) {
  return z.custom<Item[]>((value) => Array.isArray(value) && value.every(isRight), {
    error: ({ input }) => {
      if (!Array.isArray(input)) return `expected a list of ${expected}, got ${typeof input}`;
      return `expected ${expected}, got another value at position ${input.findIndex((value) => !isRight(value))}`;
    },
  });
}
