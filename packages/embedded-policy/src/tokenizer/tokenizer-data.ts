import { z } from 'zod';
import { SPECIAL_TOKENS } from './special-tokens.js';

/** Integers 0 to 999 are tokens of their own, so that a line number is looked up and not spelt. */
const INTEGER_TOKENS = 1000;

/** Id of the integer 0. */
export const FIRST_INTEGER_ID = SPECIAL_TOKENS.length;

/** Id of the byte 0. */
export const FIRST_BYTE_ID = FIRST_INTEGER_ID + INTEGER_TOKENS;

/** Id of the first merge. */
export const FIRST_MERGE_ID = FIRST_BYTE_ID + 256;

/**
 * A tokenizer on disk. Ids in order: the special tokens, the integers, the bytes, the merges; merge i joins two ids
 * below `FIRST_MERGE_ID + i`.
 */
export const tokenizerDataSchema = z
  .strictObject({
    format: z.literal('tadpole-bpe-1'),
    specialTokens: z.array(z.string()).readonly(),
    merges: z.array(z.tuple([z.int(), z.int()])).readonly(),
  })
  .refine((data) => data.specialTokens.join() === SPECIAL_TOKENS.join(), {
    message: `expected the special tokens ${SPECIAL_TOKENS.join(', ')}; the file comes from another version`,
  })
  .refine((data) => data.merges.every((pair, index) => pair.every((id) => id >= FIRST_BYTE_ID && id < FIRST_MERGE_ID + index)), {
    message: 'expected every merge to join bytes or earlier merges',
  });

/** See {@link tokenizerDataSchema}. */
export type TokenizerData = z.infer<typeof tokenizerDataSchema>;
