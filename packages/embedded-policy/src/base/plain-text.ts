import type { Tokenizer } from '../tokenizer/create-tokenizer.js';
import { specialTokenId } from '../tokenizer/special-tokens.js';
import type { CorpusFile } from './corpus-file.js';
import { pickInteger } from './pick.js';
import { type WeightedSequence, weighRuns } from './weighted-sequence.js';

/** A stretch of a file for plain next-token prediction. */
export function plainText(options: {
  tokenizer: Tokenizer;
  pickFile: () => CorpusFile;
  length: number;
  random: () => number;
}): WeightedSequence {
  const { tokenizer, pickFile, length, random } = options;
  const { lines } = pickFile();
  const first = pickInteger({ low: 0, high: Math.max(0, lines.length - 25), random });
  const ids = tokenizer.encode(lines.slice(first, first + 60).join('\n')).slice(0, length - 1);
  return weighRuns([
    { ids: [specialTokenId('begin')], weight: 0 },
    { ids, weight: 0.7 },
  ]);
}
