import type { Tokenizer } from '../tokenizer/create-tokenizer.js';
import { specialTokenId } from '../tokenizer/special-tokens.js';
import { readObservation } from './edit-episode.js';
import { pick } from './pick.js';
import type { Snippet } from './sample-snippet.js';
import { weighRuns, type WeightedSequence } from './weighted-sequence.js';

/** A numbered snippet, then line numbers in random order, each answered with the text of that line. */
export function lookupDrill({ tokenizer, snippet, random }: { tokenizer: Tokenizer; snippet: Snippet; random: () => number }): WeightedSequence {
  const marker = (name: 'begin' | 'tool' | 'user' | 'assistant' | 'end') => specialTokenId(name);
  const shown = [marker('begin'), marker('tool'), ...tokenizer.encode(readObservation(snippet)), marker('end')];
  const questions = Array.from({ length: 5 }, () => {
    const index = pick(snippet.editable, random);
    return [
      { ids: [marker('user'), ...tokenizer.encode(`Line ${snippet.start + index}`), marker('end'), marker('assistant')], weight: 0 },
      { ids: [...tokenizer.encode(snippet.lines[index]!.trim()), marker('end')], weight: 1 },
    ];
  });
  return weighRuns([{ ids: shown, weight: 0.1 }, ...questions.flat()]);
}
