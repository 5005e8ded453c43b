import { TadpoleError } from '@tadpole/contracts';
import { huggingFaceTokenizer, type TextTokenizer } from './text-tokenizer.js';

/**
 * Makes a tokenizer from the two files that a model comes with. Uses the optional peer `@huggingface/tokenizers`.
 *
 * @throws TadpoleError `missing-dependency` without that package, `invalid-input` for files it cannot read.
 */
export async function loadTokenizer(options: {
  /** `tokenizer.json`, parsed. */
  tokenizerJson: object;
  /** `tokenizer_config.json`, parsed. */
  tokenizerConfig: object;
}): Promise<TextTokenizer> {
  const { Tokenizer } = await import('@huggingface/tokenizers').catch((cause: unknown) => {
    throw new TadpoleError({
      code: 'missing-dependency',
      message: 'Expected the package @huggingface/tokenizers, which loadTokenizer uses. Install it beside @tadpole/leaf-harness.',
      cause,
    });
  });
  try {
    return huggingFaceTokenizer(new Tokenizer(options.tokenizerJson, options.tokenizerConfig));
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected the contents of tokenizer.json and tokenizer_config.json: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    });
  }
}
