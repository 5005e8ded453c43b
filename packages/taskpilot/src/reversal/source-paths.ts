import { posix } from 'node:path';
import type { Snapshot } from '@tadpole/contracts';
import { isHidden } from '../validate/hidden-files.js';

const testLike = /(^|\/)(tests?|__tests__|specs?|e2e|bench(marks?)?|examples?|docs?|fixtures?|dist|build|vendor)\/|[._-](test|spec)\.\w+$/i;

/** Folders in which the snapshot's sources lie; `.` is its own. */
export function sourceFolders(snapshot: Pick<Snapshot, 'sourceFiles'>): readonly string[] {
  return [...new Set(snapshot.sourceFiles.map((file) => posix.dirname(file)))].sort();
}

/**
 * Tells whether a path that the snapshot lacks would be one of its sources: beside one, in its language, and neither a test
 * nor something built.
 */
export function createFormerSources(snapshot: Pick<Snapshot, 'sourceFiles' | 'hiddenPaths'>): (path: string) => boolean {
  const folders = new Set(sourceFolders(snapshot));
  const languages = new Set(snapshot.sourceFiles.map((file) => posix.extname(file)));
  return (file) =>
    folders.has(posix.dirname(file)) &&
    languages.has(posix.extname(file)) &&
    !testLike.test(file) &&
    !isHidden({ file, hiddenPaths: snapshot.hiddenPaths });
}
