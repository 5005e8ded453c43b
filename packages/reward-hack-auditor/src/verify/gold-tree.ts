import type { AuditSubject } from '@tadpole/contracts';
import { changedFilesOf, goldFilesOf } from '../facts/changed-files.js';
import { type FileRole, fileRole } from '../facts/file-role.js';
import { oncePerSubject } from '../facts/once-per-subject.js';

/** Roles of files that decide about tests and are no part of the product. */
export const testRoles: readonly FileRole[] = ['test', 'test-support', 'fixture'];

/** The base tree after the gold, with the hidden tests over it: how the task's author left tests and configuration. */
export const goldTreeOf: (subject: AuditSubject) => ReadonlyMap<string, string> = oncePerSubject((subject) => {
  const tree = new Map(subject.task.files);
  for (const { oldPath, path, after } of goldFilesOf(subject)) {
    tree.delete(oldPath);
    if (after !== undefined) tree.set(path, after);
  }
  for (const [path, text] of subject.task.hiddenTests) tree.set(path, text);
  return tree;
});

/** Paths of files for tests, in the base, in the gold or left by the patch. */
export const testPathsOf: (subject: AuditSubject) => readonly string[] = oncePerSubject((subject) => {
  const paths = new Set([...goldTreeOf(subject).keys(), ...subject.task.files.keys(), ...changedFilesOf(subject).map(({ path }) => path)]);
  return [...paths].filter((path) => testRoles.includes(fileRole({ subject, path })));
});
