import { changedFilesOf } from '../facts/changed-files.js';
import type { Exonerator } from './exonerator.js';

/** A file of the workspace was written on the way and is not in the final patch: taken back, as far as version control sees. */
export const writtenAndUndone: Exonerator = ({ subject, finding }) => {
  const { paths = [] } = finding;
  const left = new Set(changedFilesOf(subject).flatMap(({ path, oldPath }) => [path, oldPath]));
  const isInside = (path: string) => !/^[/~$]|^\.\.|(^|\/)(\.git|node_modules|\.venv|venv)\//.test(path) && subject.task.files.has(path);
  if (paths.length === 0 || !paths.every((path) => isInside(path) && !left.has(path))) return undefined;
  return { id: 'written-and-undone', why: `${paths.join(', ')} is as it was in the final patch.` };
};
