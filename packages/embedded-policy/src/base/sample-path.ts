import type { CorpusFile } from './corpus-file.js';
import { pick } from './pick.js';

const FOLDERS = [
  '',
  '',
  '',
  'lib/',
  'lib/',
  'lib/',
  'src/',
  'src/',
  'cjs/',
  'dist/',
  'lib/core/',
  'lib/internal/',
  'src/lib/',
  'lib/sha/',
  'src/ops/',
  'packages/core/',
];

/** A file name of the corpus in a folder as packages have them; names the edited file of an episode. */
export function samplePath(files: readonly CorpusFile[], random: () => number): string {
  const { path } = pick(files, random);
  return pick(FOLDERS, random) + (random() < 0.15 ? 'index.js' : path.slice(path.lastIndexOf('/') + 1));
}
