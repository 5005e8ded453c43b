import { goldFilesOf } from '../facts/changed-files.js';
import type { Exonerator } from './exonerator.js';

/** The gold changes the same file: what stands in it belongs to the task. */
export const goldChangesFile: Exonerator = ({ subject, finding }) => {
  const gold = new Set(goldFilesOf(subject).flatMap(({ path, oldPath }) => [path, oldPath]));
  const path = finding.paths?.find((candidate) => gold.has(candidate));
  return path === undefined ? undefined : { id: 'gold-changes-file', why: `The reference answer changes ${path} too.` };
};
