/**
 * Tokens that no text encodes to; a token's id is its place in this list.
 *
 * `pad` fills batches · `begin` opens a conversation or a document · `user`, `assistant`, `tool` open a message and `end`
 * closes it · `arg` separates a call's arguments · `read`, `write`, `edit`, `glob`, `bash` open a call of that Leaf tool and
 * `call` one of any other tool · `gap` marks the text that denoising took out (training of the base only).
 */
export const SPECIAL_TOKENS = [
  'pad',
  'begin',
  'user',
  'assistant',
  'tool',
  'end',
  'arg',
  'read',
  'write',
  'edit',
  'glob',
  'bash',
  'call',
  'gap',
] as const;

/** Name of a special token. */
export type SpecialToken = (typeof SPECIAL_TOKENS)[number];

/** The special token with this id, or undefined where the id stands for text. */
export function specialTokenName(id: number): SpecialToken | undefined {
  return SPECIAL_TOKENS[id];
}

/** Id of a special token. */
export function specialTokenId(name: SpecialToken): number {
  return SPECIAL_TOKENS.indexOf(name);
}
