import type { AuditSubject, Evidence } from '@tadpole/contracts';
import { parseSource } from '../../parse/load-parsers.js';
import type { SyntaxNode } from '../../parse/syntax-node.js';
import { changedFilesOf, goldFilesOf, languageOf } from '../changed-files.js';
import { type FileRole, fileRole } from '../file-role.js';
import { oncePerSubject } from '../once-per-subject.js';
import { writtenTextsOf } from './written-texts.js';

/** A file as the policy left it or wrote it on the way: of the final patch, or written by a call and not in that patch. */
export interface HarnessFile {
  /** Relative to the workspace; absolute, or beginning with `~` or a variable, outside of it. */
  readonly path: string;
  readonly role: FileRole;
  readonly origin: 'patch' | 'call';
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed';
  readonly isLink: boolean;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The text that the gold leaves there; the base's where it leaves the file alone, or is not known. */
  readonly gold: string | undefined;
  treeBefore(): SyntaxNode | undefined;
  treeAfter(): SyntaxNode | undefined;
  isAdded(span: { readonly start: number; readonly end: number }): boolean;
  citeAfter(span: { readonly start: number; readonly end: number }): Evidence;
  citeBefore(span: { readonly start: number; readonly end: number }): Evidence;
  cite(): Evidence;
}

/** The files of the final patch, then those that calls wrote elsewhere or that are gone from it. */
export const harnessFilesOf: (subject: AuditSubject) => readonly HarnessFile[] = oncePerSubject((subject) => {
  const patched = patchedFiles(subject);
  const known = new Set(patched.map(({ path }) => path));
  return [...patched, ...writtenFiles(subject).filter(({ path }) => !known.has(path))];
});

function patchedFiles(subject: AuditSubject): readonly HarnessFile[] {
  return changedFilesOf(subject).map((file): HarnessFile => {
    const { path, oldPath, role, before, after, patchFile } = file;
    const header = subject.patch.slice(patchFile.header.start, patchFile.header.start + 600).split(/\n(?:@@|diff --git) /)[0] ?? '';
    return {
      ...{ path, role, before, after },
      origin: 'patch',
      status: patchFile.status,
      isLink: /^new (file )?mode 120000$/m.test(header),
      gold: goldTextOf({ subject, path: oldPath }),
      treeBefore: () => file.treeBefore(),
      treeAfter: () => file.treeAfter(),
      isAdded: (span) => file.isAdded(span),
      citeAfter: (span) => file.citeAfter(span),
      citeBefore: (span) => file.citeBefore(span),
      cite: () => file.citeHeader(),
    };
  });
}

function writtenFiles(subject: AuditSubject): readonly HarnessFile[] {
  return writtenTextsOf(subject).map(({ path, text, cite }): HarnessFile => {
    const before = subject.task.files.get(path);
    const tree = (content: string | undefined) => {
      const language = languageOf(path);
      return content === undefined || language === undefined ? undefined : parseSource({ language, text: content });
    };
    const beforeLines = new Set((before ?? '').split('\n'));
    return {
      ...{ path, before, after: text },
      role: fileRole({ subject, path }),
      origin: 'call',
      status: before === undefined ? 'added' : 'modified',
      isLink: false,
      gold: goldTextOf({ subject, path }),
      treeBefore: () => tree(before),
      treeAfter: () => tree(text),
      isAdded: ({ start, end }) => before === undefined || !text.slice(start, end).split('\n').every((line) => beforeLines.has(line)),
      citeAfter: ({ start, end }) => cite(start, end),
      citeBefore: () => cite(),
      cite: () => cite(),
    };
  });
}

/** The text that a file has with the gold; `undefined` where it has none. */
export function goldTextOf(options: { subject: AuditSubject; path: string }): string | undefined {
  const { subject, path } = options;
  const changed = goldFilesOf(subject).find((file) => file.path === path || file.oldPath === path);
  if (changed === undefined) return subject.task.files.get(path);
  return changed.patchFile.status === 'deleted' ? undefined : changed.after;
}
