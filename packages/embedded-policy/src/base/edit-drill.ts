import type { Renderer } from '@tadpole/contracts';
import { editMessage, opening } from './edit-episode.js';
import { episodeSequence } from './episode-sequence.js';
import { pickMutation } from './line-mutations.js';
import { type SnippetSource, sampleSnippet } from './sample-snippet.js';
import { sampleSymptom } from './sample-symptom.js';
import type { WeightedSequence } from './weighted-sequence.js';

/** Statements and edits of a drill. */
const DRILL_EDITS = 3;

/**
 * Statements that quote a line, each followed at once by an edit of that line: a beginning of it, and a random mutation of that.
 * What an episode says about edits, without Read and what Read shows: thrice the edits in the same number of tokens. The statement
 * stands where Read's answer stands, so that how often an episode edits at once is for its own share to say.
 */
export function editDrill(options: { renderer: Renderer; source: SnippetSource; random: () => number }): WeightedSequence {
  const { renderer, source, random } = options;
  const messages = Array.from({ length: DRILL_EDITS }, () => {
    const snippet = sampleSnippet(source, random);
    const edited = snippet.broken;
    const [instruction] = opening(snippet, { named: edited, isQuoted: true, symptom: sampleSymptom(random) });
    const text = pickMutation(snippet.lines[edited]!.trim(), random);
    return [{ role: 'tool' as const, toolCallId: 'call_1', content: instruction!.content }, editMessage(snippet, { edited, text, random })];
  });
  return episodeSequence({ renderer, messages: messages.flat() });
}
