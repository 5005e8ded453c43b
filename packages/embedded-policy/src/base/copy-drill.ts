import type { Tokenizer } from '../tokenizer/create-tokenizer.js';
import { specialTokenId } from '../tokenizer/special-tokens.js';
import { FIRST_INTEGER_ID } from '../tokenizer/tokenizer-data.js';
import type { CorpusFile } from './corpus-file.js';
import { pick, pickInteger } from './pick.js';
import { type WeightedSequence, weighRuns } from './weighted-sequence.js';

/** Text that is random tokens or a stretch of code, then the same again, several times: only the repeats weigh. */
export function copyDrill(options: {
  tokenizer: Tokenizer;
  pickFile: () => CorpusFile;
  length: number;
  random: () => number;
}): WeightedSequence {
  const { tokenizer, pickFile, length, random } = options;
  const size = pickInteger({ low: 16, high: Math.floor(length / 2) - 2, random });
  const segment = random() < 0.35 ? randomIds({ tokenizer, size, random }) : codeIds({ tokenizer, pickFile, size, random });
  const separator = [specialTokenId(pick(['end', 'arg', 'user', 'tool'], random))];
  const repeats = Math.max(1, Math.floor((length - 1) / (segment.length + 1)) - 1);
  const copies = Array.from({ length: repeats }, () => [
    { ids: separator, weight: 0 },
    { ids: segment, weight: 1 },
  ]);
  return weighRuns([{ ids: [specialTokenId('begin')], weight: 0 }, { ids: segment, weight: 0 }, ...copies.flat()]);
}

function randomIds({ tokenizer, size, random }: { tokenizer: Tokenizer; size: number; random: () => number }): number[] {
  return Array.from({ length: size }, () => pickInteger({ low: FIRST_INTEGER_ID, high: tokenizer.vocabularySize - 1, random }));
}

function codeIds(options: { tokenizer: Tokenizer; pickFile: () => CorpusFile; size: number; random: () => number }): number[] {
  const { lines } = options.pickFile();
  const first = pickInteger({ low: 0, high: Math.max(0, lines.length - 20), random: options.random });
  const ids = options.tokenizer.encode(lines.slice(first, first + 40).join('\n')).slice(0, options.size);
  return ids.length > 0 ? ids : [options.tokenizer.vocabularySize - 1];
}
