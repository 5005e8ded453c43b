import type { Tokenizer } from '../tokenizer/create-tokenizer.js';
import { preTokenize } from '../tokenizer/pre-tokenize.js';
import { specialTokenId } from '../tokenizer/special-tokens.js';
import type { CorpusFile } from './corpus-file.js';
import { pick, pickInteger } from './pick.js';
import { type WeightedSequence, weighRuns } from './weighted-sequence.js';

/**
 * A stretch of code with gaps, and after it what stood in each gap. Half of the gaps are single operators, which makes the model
 * learn what code around an operator says about it; the others are short spans.
 */
export function denoising(options: {
  tokenizer: Tokenizer;
  pickFile: () => CorpusFile;
  length: number;
  random: () => number;
}): WeightedSequence {
  const { tokenizer, pickFile, length, random } = options;
  const { lines } = pickFile();
  const first = pickInteger({ low: 0, high: Math.max(0, lines.length - 15), random });
  const pieces = preTokenize(lines.slice(first, first + 40).join('\n')).slice(0, Math.floor(length * 0.5));
  const operators = pieces.flatMap((piece, index) =>
    /^ ?[-+*/%<>=!&|]{1,3}$/.test(piece) && !/^ ?(?:=|\/\/|\/\*|\*\/)$/.test(piece) ? [index] : [],
  );
  const gap = [specialTokenId('gap')];
  const shown: number[] = [];
  const answers: { ids: number[]; weight: number }[] = [];
  const gaps = new Map<number, number>();
  for (let count = pickInteger({ low: 2, high: 5, random }); count > 0 && pieces.length > 0; count--) {
    if (operators.length > 0 && random() < 0.5) gaps.set(pick(operators, random), 1);
    else gaps.set(pickInteger({ low: 0, high: pieces.length - 1, random }), pickInteger({ low: 1, high: 10, random }));
  }
  for (let index = 0; index < pieces.length; ) {
    const width = gaps.get(index) ?? 0;
    if (width === 0) {
      shown.push(...tokenizer.encode(pieces[index]!));
      index += 1;
      continue;
    }
    shown.push(...gap);
    const hidden = pieces.slice(index, index + width).flatMap((piece) => tokenizer.encode(piece));
    answers.push({ ids: gap, weight: 0 }, { ids: hidden, weight: 1 });
    index += width;
  }
  const end = { ids: [specialTokenId('end')], weight: 0.2 };
  return weighRuns([{ ids: [specialTokenId('begin')], weight: 0 }, { ids: shown, weight: 0.2 }, end, ...answers, end]);
}
