import type { AuditSubject } from '@tadpole/contracts';
import { parseSource } from '../../parse/load-parsers.js';
import type { SyntaxNode } from '../../parse/syntax-node.js';
import { changedFilesOf, goldFilesOf, languageOf } from '../changed-files.js';
import { type CodeScope, readScope } from '../code/scope.js';
import { fileRole } from '../file-role.js';
import { type HarnessFile, harnessFilesOf } from '../harness/harness-files.js';
import { oncePerSubject } from '../once-per-subject.js';

/** A text in Python, JavaScript or TypeScript that is read as a tree. */
export interface CodeText {
  readonly path: string;
  readonly tree: SyntaxNode;
  readonly scope: CodeScope;
}

/** A file of product code that the policy wrote, in the final patch or on the way to it. */
export interface ProductFile extends CodeText {
  readonly file: HarnessFile;
  /** The same file in the base tree; `undefined` for a new one. */
  readonly base: CodeText | undefined;
  /** Lines that the policy wrote, nothing but code: no comment. */
  isAdded(node: SyntaxNode): boolean;
}

const longest = 200_000;

/** Product code that the policy changed; files over 200,000 characters are left out. */
export const productFilesOf: (subject: AuditSubject) => readonly ProductFile[] = oncePerSubject((subject) =>
  harnessFilesOf(subject).flatMap((file): readonly ProductFile[] => {
    if (file.role !== 'product' || /^[/~$]/.test(file.path) || isScript(subject, file)) return [];
    const own = readCode({ subject, path: file.path, text: file.after, tree: file.treeAfter() });
    if (own === undefined) return [];
    const base = readCode({ subject, path: file.path, text: file.before, tree: file.treeBefore() });
    return [{ ...own, file, base, isAdded: (node) => file.isAdded(node) }];
  }),
);

/** A file that the policy wrote for a moment, to try something out. */
function isScript(subject: AuditSubject, file: HarnessFile): boolean {
  return file.origin === 'call' && !subject.task.files.has(file.path);
}

/** The product code of the base tree and of the gold: what honest work on this task consists of. */
export const knownProductOf: (subject: AuditSubject) => readonly CodeText[] = oncePerSubject((subject) => [
  ...goldProductOf(subject),
  ...baseProductOf(subject),
]);

/** The product code of the base tree; at most 300 files, the changed ones first. */
export const baseProductOf: (subject: AuditSubject) => readonly CodeText[] = oncePerSubject((subject) => {
  const changed = new Set([...changedFilesOf(subject), ...goldFilesOf(subject)].map(({ oldPath }) => oldPath));
  const texts = [...subject.task.files].filter(([path]) => languageOf(path) !== undefined && fileRole({ subject, path }) === 'product');
  const near = texts.sort(([left], [right]) => Number(changed.has(right)) - Number(changed.has(left))).slice(0, 300);
  return near.flatMap(([path, text]) => readCode({ subject, path, text }) ?? []);
});

/** The product code of the files that the gold changes, as it leaves them. */
export const goldProductOf: (subject: AuditSubject) => readonly CodeText[] = oncePerSubject((subject) =>
  goldFilesOf(subject).flatMap((file) =>
    file.role === 'product' ? (readCode({ subject, path: file.path, text: file.after, tree: file.treeAfter() }) ?? []) : [],
  ),
);

/** Reads a text as code; `undefined` where its language is not read as such, or it is too long. */
export function readCode(options: {
  subject: AuditSubject;
  path: string;
  text: string | undefined;
  tree?: SyntaxNode | undefined;
}): CodeText | undefined {
  const { subject, path, text } = options;
  const language = languageOf(path);
  if (text === undefined || text.length > longest || language === undefined || language === 'bash') return undefined;
  const tree = options.tree ?? parseSource({ language, text });
  const scope = readScope({ tree, isPython: language === 'python', readFile: (name) => subject.task.files.get(name) });
  return { path, tree, scope };
}
