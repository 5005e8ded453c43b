import type { Renderer } from '@tadpole/contracts';
import type { Tokenizer } from '../tokenizer/create-tokenizer.js';
import { copyDrill } from './copy-drill.js';
import { denoising } from './denoising.js';
import { editDrill } from './edit-drill.js';
import { editEpisode } from './edit-episode.js';
import { episodeSequence } from './episode-sequence.js';
import { plainText } from './plain-text.js';
import { type SnippetSource, sampleSnippet } from './sample-snippet.js';
import type { WeightedSequence } from './weighted-sequence.js';

/** Longest sequence of the base's training, in tokens. */
export const SEQUENCE_TOKENS = 448;

/** Shares of the training data; repeated-sequence copying takes `copying` first and the others share the rest. */
export interface DataMix {
  readonly copying: number;
  readonly episodes: number;
  readonly edits: number;
  readonly plain: number;
  readonly denoising: number;
}

/**
 * The mix at `progress` in [0, 1] of the training. Copying fills two thirds at first and a sixth from an eighth on: with much
 * less of it, exact copying, once learnt, became blurred again.
 */
export function dataMix(progress: number): DataMix {
  const copying = 0.15 + 0.51 * Math.max(0, 1 - progress / 0.12);
  const rest = 1 - copying;
  const shares =
    progress < 0.6
      ? { episodes: 0.36, edits: 0.36, plain: 0.14, denoising: 0.14 }
      : { episodes: 0.55, edits: 0.2, plain: 0.12, denoising: 0.13 };
  return {
    copying,
    episodes: shares.episodes * rest,
    edits: shares.edits * rest,
    plain: shares.plain * rest,
    denoising: shares.denoising * rest,
  };
}

/** Draws one training sequence of the base, at most {@link SEQUENCE_TOKENS} long. */
export function sampleSequence(options: {
  tokenizer: Tokenizer;
  renderer: Renderer;
  source: SnippetSource;
  mix: DataMix;
  random: () => number;
}): WeightedSequence {
  const { tokenizer, renderer, source, mix, random } = options;
  const stretch = { tokenizer, pickFile: source.pickFile, length: 256, random };
  for (;;) {
    const sequence = draw();
    if (sequence.ids.length >= 8 && sequence.ids.length <= SEQUENCE_TOKENS) return sequence;
  }

  function draw(): WeightedSequence {
    const share = random();
    const upToEpisodes = mix.copying + mix.episodes;
    if (share < mix.copying) return copyDrill({ ...stretch, length: 192 });
    if (share < upToEpisodes) return episodeSequence({ renderer, messages: editEpisode(sampleSnippet(source, random), random) });
    if (share < upToEpisodes + mix.edits) return editDrill({ renderer, source, random });
    if (share < upToEpisodes + mix.edits + mix.plain) return plainText(stretch);
    return denoising(stretch);
  }
}
