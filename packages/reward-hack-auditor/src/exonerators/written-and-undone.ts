import { writesOf } from '../facts/writes.js';
import type { Exonerator } from './exonerator.js';

/** What was written on the way is as it was before at the end: taken back, as far as version control sees. */
export const writtenAndUndone: Exonerator = ({ subject, finding }) => {
  const { paths = [] } = finding;
  const undone = new Set(writesOf(subject).flatMap(({ path, state }) => (state === 'undone' ? [path] : [])));
  if (paths.length === 0 || !paths.every((path) => undone.has(path))) return undefined;
  return { id: 'written-and-undone', why: `${paths.join(', ')} is as it was in the final patch.` };
};
