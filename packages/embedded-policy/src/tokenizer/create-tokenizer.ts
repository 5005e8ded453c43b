import { TadpoleError } from '@tadpole/contracts';
import { mergeBytes, pairKey } from './merge-bytes.js';
import { preTokenize } from './pre-tokenize.js';
import { SPECIAL_TOKENS, specialTokenName } from './special-tokens.js';
import { FIRST_BYTE_ID, FIRST_INTEGER_ID, FIRST_MERGE_ID, type TokenizerData, tokenizerDataSchema } from './tokenizer-data.js';

/** Text to ids and back. */
export interface Tokenizer {
  /** Number of ids. */
  readonly vocabularySize: number;
  /** Ids [T] of a text. Never a special token, whatever the text says. */
  encode(text: string): number[];
  /**
   * The text of ids [T]. `decode(encode(text)) === text` for every well-formed string; a lone surrogate, and bytes that
   * are no UTF-8, become U+FFFD. A special token reads as its name in angle brackets.
   * @throws TadpoleError `invalid-input` for an id outside the vocabulary.
   */
  decode(ids: readonly number[]): string;
}

const CACHED_PIECES = 65_536;
const integerPattern = /^(?:0|[1-9]\d{0,2})$/;

/** Creates a tokenizer. @throws TadpoleError `invalid-input` when `data` is not a tokenizer of this version. */
export function createTokenizer(data: TokenizerData): Tokenizer {
  const parsed = tokenizerDataSchema.safeParse(data);
  if (!parsed.success)
    throw new TadpoleError({ code: 'invalid-input', message: `tokenizer: ${parsed.error.issues[0]?.message}`, cause: parsed.error });
  const { merges } = parsed.data;
  const ranks = new Map(merges.map(([left, right], rank) => [pairKey(left, right), rank]));
  const texts = tokenBytes(merges);
  const encoder = new TextEncoder();
  const cache = new Map<string, readonly number[]>();

  function encodePiece(piece: string): readonly number[] {
    const known = cache.get(piece);
    if (known !== undefined) return known;
    const ids = integerPattern.test(piece) ? [FIRST_INTEGER_ID + Number(piece)] : mergeBytes(encoder.encode(piece), ranks);
    if (cache.size >= CACHED_PIECES) cache.clear();
    cache.set(piece, ids);
    return ids;
  }

  return {
    vocabularySize: FIRST_MERGE_ID + merges.length,
    encode: (text) => preTokenize(text).flatMap(encodePiece),
    decode(ids) {
      const parts = ids.map((id) => {
        const bytes = texts[id];
        if (bytes !== undefined) return bytes;
        throw new TadpoleError({
          code: 'invalid-input',
          message: `tokenizer: expected ids from 0 to ${texts.length - 1}, got ${id}; was it made with another tokenizer?`,
        });
      });
      return Buffer.concat(parts).toString('utf8');
    },
  };
}

function tokenBytes(merges: TokenizerData['merges']): readonly Uint8Array[] {
  const texts: Uint8Array[] = SPECIAL_TOKENS.map((_, id) => Buffer.from(`<${specialTokenName(id)}>`));
  for (let integer = 0; texts.length < FIRST_BYTE_ID; integer++) texts.push(Buffer.from(String(integer)));
  for (let byte = 0; byte < 256; byte++) texts.push(Uint8Array.of(byte));
  for (const [left, right] of merges) texts.push(Buffer.concat([texts[left]!, texts[right]!]));
  return texts;
}
