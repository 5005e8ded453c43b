import { type CorpusFile, createFilePicker } from '../src/base/corpus-file.js';
import { editEpisode } from '../src/base/edit-episode.js';
import { sampleSnippet } from '../src/base/sample-snippet.js';

/** What the tokenizer's merges are learnt from: the corpus, and the fixed wording of the episodes without their code. */
export function* tokenizerTexts(files: readonly CorpusFile[], random: () => number): Generator<string> {
  for (const { text } of files) yield text;
  const pickFile = createFilePicker(files, random);
  for (let count = 0; count < 20_000; count++) {
    const [instruction] = editEpisode(sampleSnippet({ pickFile, files }, random), random);
    yield instruction!.content;
    yield `Edited ${instruction!.content.split(' ')[1]} (1 replacement).\nDone.`;
  }
}
