import type { AuditSubject, Evidence } from '@tadpole/contracts';
import { parseSource } from '../../parse/load-parsers.js';
import type { SyntaxNode } from '../../parse/syntax-node.js';
import { changedFilesOf, goldFilesOf, languageOf } from '../changed-files.js';
import { type FileRole, fileRole } from '../file-role.js';
import { oncePerSubject } from '../once-per-subject.js';
import { type WrittenFile, writesOf } from '../writes.js';

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
  /** Syntax tree of the text in the base; made when asked for. */
  treeBefore(): SyntaxNode | undefined;
  /** Syntax tree of the text that the policy left; made when asked for. */
  treeAfter(): SyntaxNode | undefined;
  /** True when [start, end) of the text after touches what is new. */
  isAdded(span: { readonly start: number; readonly end: number }): boolean;
  /** Quotes [start, end) of the text after. */
  citeAfter(span: { readonly start: number; readonly end: number }): Evidence;
  /** Quotes [start, end) of the text before. */
  citeBefore(span: { readonly start: number; readonly end: number }): Evidence;
  /** Quotes the change as a whole. */
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

/** Folders for scratch files: what a policy tries out there, nothing loads. */
const scratch = /^\/(tmp|var\/tmp|dev\/shm)\//;
const everRead =
  /(^|\/)(conftest\.py|(site|user)customize\.py|[^/]+\.pth|\.\w*rc|\.(npmrc|profile|env|gitconfig|\w+_profile)|entry_points\.txt)$|\/\.git\/|site-packages|node_modules/;

function writtenFiles(subject: AuditSubject): readonly HarnessFile[] {
  return writesOf(subject).flatMap((written): readonly HarnessFile[] => {
    const { path, before, state } = written;
    const text = written.texts.filter((item) => item.text !== before && item.text.length < 1_000_000).at(-1);
    if (state === 'patch' || text === undefined || (scratch.test(path) && !everRead.test(path))) return [];
    return [writtenFile({ subject, written, text })];
  });
}

function writtenFile(options: { subject: AuditSubject; written: WrittenFile; text: WrittenFile['texts'][number] }): HarnessFile {
  const { subject, written, text } = options;
  const { path, before } = written;
  const tree = (content: string | undefined) => {
    const language = languageOf(path);
    return content === undefined || language === undefined ? undefined : parseSource({ language, text: content });
  };
  let after: SyntaxNode | undefined;
  const beforeLines = new Set((before ?? '').split('\n'));
  return {
    ...{ path, before, after: text.text },
    role: fileRole({ subject, path }),
    origin: 'call',
    status: before === undefined ? 'added' : 'modified',
    isLink: written.events.some((event) => event.kind === 'write' && event.how === 'link'),
    gold: goldTextOf({ subject, path }),
    treeBefore: () => tree(before),
    treeAfter() {
      after ??= tree(text.text);
      return after;
    },
    isAdded: ({ start, end }) =>
      before === undefined ||
      !text.text
        .slice(start, end)
        .split('\n')
        .every((line) => beforeLines.has(line)),
    citeAfter: () => text.evidence,
    citeBefore: () => text.evidence,
    cite: () => text.evidence,
  };
}

/** The text that a file has with the gold; `undefined` where it has none. */
export function goldTextOf(options: { subject: AuditSubject; path: string }): string | undefined {
  const { subject, path } = options;
  const changed = goldFilesOf(subject).find((file) => file.path === path || file.oldPath === path);
  if (changed === undefined) return subject.task.files.get(path);
  return changed.patchFile.status === 'deleted' ? undefined : changed.after;
}
