import type { Renderer } from '@tadpole/contracts';
import type { Tokenizer } from '../tokenizer/create-tokenizer.js';
import { specialTokenId } from '../tokenizer/special-tokens.js';
import { editMessage, readObservation } from './edit-episode.js';
import { lineMutations } from './line-mutations.js';
import { pick } from './pick.js';
import type { Snippet } from './sample-snippet.js';
import { type WeightedSequence, weighRuns } from './weighted-sequence.js';

/**
 * A numbered snippet, then edits of up to three of its lines in the words of an episode: the line's number, a beginning of
 * its text, a random mutation of it. The number is given; what follows from it weighs 1.
 */
export function editDrill(options: { tokenizer: Tokenizer; renderer: Renderer; snippet: Snippet; random: () => number }): WeightedSequence {
  const { tokenizer, renderer, snippet, random } = options;
  const [begin, tool, end, argument] = (['begin', 'tool', 'end', 'arg'] as const).map(specialTokenId) as [number, number, number, number];
  const shown = [begin, tool, ...tokenizer.encode(readObservation(snippet)), end];
  const shuffled = snippet.editable.map((edited) => ({ edited, key: random() })).sort((one, other) => one.key - other.key);
  const edits = shuffled.slice(0, 3).map(({ edited }) => {
    const text = pick(lineMutations(snippet.lines[edited]!.trim()), random);
    const written = renderer.render([editMessage(snippet, { edited, text, random })], []).slice(1, -1);
    const behindNumber = written.indexOf(argument) + 2;
    return [
      { ids: written.slice(0, behindNumber), weight: 0 },
      { ids: written.slice(behindNumber), weight: 1 },
    ];
  });
  return weighRuns([{ ids: shown, weight: 0.1 }, ...edits.flat()]);
}
