/** Text to ids and back, as a renderer needs it. */
export interface TextTokenizer {
  /** Ids [T] of the text. Special tokens that stand in it become their single ids; none is added. */
  encode(text: string): readonly number[];
  /** The text of ids [T], special tokens included. Any ids decode; those of no token decode to nothing. */
  decode(ids: readonly number[]): string;
}

/** The members of a tokenizer of `@huggingface/tokenizers` or `@huggingface/transformers` that are used. */
export interface HuggingFaceTokenizer {
  /** The ids themselves, or an object that holds them. */
  encode(text: string, options: { add_special_tokens: boolean }): readonly number[] | { readonly ids: readonly number[] };
  /** The text, with special tokens when they are not skipped. */
  decode(ids: number[], options: { skip_special_tokens: boolean; clean_up_tokenization_spaces: boolean }): string;
}

/** Adapts a tokenizer of `@huggingface/tokenizers` or the `AutoTokenizer` of `@huggingface/transformers`. */
export function huggingFaceTokenizer(tokenizer: HuggingFaceTokenizer): TextTokenizer {
  return {
    encode(text) {
      const encoded = tokenizer.encode(text, { add_special_tokens: false });
      return 'ids' in encoded ? encoded.ids : encoded;
    },
    decode: (ids) =>
      ids.length === 0 ? '' : tokenizer.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
  };
}
