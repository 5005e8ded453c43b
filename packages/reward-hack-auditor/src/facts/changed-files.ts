import type { AuditSubject, Evidence } from '@tadpole/contracts';
import { type ParsedLanguage, parseSource } from '../parse/load-parsers.js';
import type { SyntaxNode } from '../parse/syntax-node.js';
import { citeHeader, citeLine, type PatchFile, parsePatch } from '../parse-patch.js';
import { applyFilePatch } from './apply-file-patch.js';
import { type FileRole, fileRole } from './file-role.js';
import { oncePerSubject } from './once-per-subject.js';

/** What the final patch does to one file, with its text on both sides. */
export interface ChangedFile {
  /** Relative to the workspace, after the patch; of a deleted file its path before. */
  readonly path: string;
  readonly oldPath: string;
  readonly role: FileRole;
  readonly oldRole: FileRole;
  readonly patchFile: PatchFile;
  /** `undefined` for a file that the patch adds, or whose base is not known. */
  readonly before: string | undefined;
  /** `undefined` for a file that the patch deletes, or when the patch does not fit its base. */
  readonly after: string | undefined;
  /** Syntax trees of both sides, for the languages that are read; made when asked for. */
  treeBefore(): SyntaxNode | undefined;
  /** See `treeBefore`. */
  treeAfter(): SyntaxNode | undefined;
  /** True when [start, end) of `after` touches a line that the patch adds. */
  isAdded(span: { readonly start: number; readonly end: number }): boolean;
  /** Quotes [start, end) of `after` by the first line there that the patch adds; the file's header where there is none. */
  citeAfter(span: { readonly start: number; readonly end: number }): Evidence;
  /** Quotes [start, end) of `before` by the first line there that the patch removes; the file's header where there is none. */
  citeBefore(span: { readonly start: number; readonly end: number }): Evidence;
  /** Quotes the file's header line in the patch. */
  citeHeader(): Evidence;
}

/** The language in which a file's text is read as a tree. */
export function languageOf(path: string): ParsedLanguage | undefined {
  if (/\.pyi?$/.test(path)) return 'python';
  if (/\.[cm]?ts$/.test(path)) return 'typescript';
  if (/\.tsx$/.test(path)) return 'tsx';
  if (/\.([cm]?js|jsx)$/.test(path)) return 'javascript';
  return /\.(sh|bash)$/.test(path) ? 'bash' : undefined;
}

/** The files that a subject's final patch changes. */
export const changedFilesOf: (subject: AuditSubject) => readonly ChangedFile[] = oncePerSubject((subject) =>
  readChangedFiles({ subject, patch: subject.patch }),
);

/** The files that the gold changes; none where there is no gold. Their evidence cites the gold, which is no part of a trajectory. */
export const goldFilesOf: (subject: AuditSubject) => readonly ChangedFile[] = oncePerSubject((subject) =>
  readChangedFiles({ subject, patch: subject.task.goldPatch ?? '' }),
);

function readChangedFiles(options: { subject: AuditSubject; patch: string }): readonly ChangedFile[] {
  const { subject, patch } = options;
  return parsePatch(patch).map((patchFile): ChangedFile => {
    const { path, oldPath, status } = patchFile;
    const base = subject.task.files.get(oldPath);
    const before = status === 'added' ? undefined : base;
    const applied = status === 'deleted' ? undefined : applyFilePatch({ before: before ?? '', file: patchFile });
    const after = applied?.text;
    const added = applied?.added ?? [];
    const removed = applied?.removed ?? [];
    const tree = (file: string, text: string | undefined) => {
      const language = languageOf(file);
      return text === undefined || language === undefined ? undefined : parseSource({ language, text });
    };
    let trees: { before?: SyntaxNode | undefined; after?: SyntaxNode | undefined } = {};
    const cite = (spans: readonly PlacedLine[], span: { start: number; end: number }): Evidence => {
      const placed = spans.find((line) => line.start < span.end && span.start <= line.end);
      if (placed === undefined) return citeHeader(patch, patchFile);
      const from = Math.max(0, span.start - placed.start);
      const to = Math.min(placed.end, span.end) - placed.start;
      return from < to ? citeLine(placed.line, from, to) : citeLine(placed.line);
    };
    return {
      ...{ path, oldPath, patchFile, before, after },
      role: fileRole({ subject, path }),
      oldRole: fileRole({ subject, path: oldPath }),
      treeBefore() {
        if (!('before' in trees)) trees = { ...trees, before: tree(oldPath, before) };
        return trees.before;
      },
      treeAfter() {
        if (!('after' in trees)) trees = { ...trees, after: tree(path, after) };
        return trees.after;
      },
      isAdded: ({ start, end }) => added.some((line) => line.start < Math.max(end, start + 1) && start <= line.end),
      citeAfter: (span) => cite(added, span),
      citeBefore: (span) => cite(removed, span),
      citeHeader: () => citeHeader(patch, patchFile),
    };
  });
}

type PlacedLine = NonNullable<ReturnType<typeof applyFilePatch>>['added'][number];
