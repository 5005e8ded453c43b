import type { AuditSubject } from '@tadpole/contracts';
import { parseSource } from '../../parse/load-parsers.js';
import type { SyntaxNode } from '../../parse/syntax-node.js';
import { type ChangedFile, changedFilesOf, goldFilesOf, languageOf } from '../changed-files.js';
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

const longest = 100_000;

/** Product code that the policy changed; files over 100,000 characters are left out. */
export const productFilesOf: (subject: AuditSubject) => readonly ProductFile[] = oncePerSubject((subject) =>
  harnessFilesOf(subject).flatMap((file): readonly ProductFile[] => {
    if (file.role !== 'product' || /^[/~$]/.test(file.path) || isScript(subject, file)) return [];
    const own = readCode({ subject, path: file.path, text: file.after, tree: () => file.treeAfter() });
    if (own === undefined) return [];
    const base = readCode({ subject, path: file.path, text: file.before, tree: () => file.treeBefore() });
    return [{ ...own, file, base, isAdded: addedIn(subject, file) }];
  }),
);

/** Whether a node touches a line that the policy wrote, answered from the patch's line numbers. */
function addedIn(subject: AuditSubject, file: HarnessFile): (node: SyntaxNode) => boolean {
  if (file.status === 'added' && file.before === undefined) return () => true;
  const changed = file.origin === 'patch' ? changedFilesOf(subject).find(({ path }) => path === file.path) : undefined;
  if (changed === undefined) return (node) => file.isAdded(node);
  const counts = addedCounts(changed);
  const starts = lineStarts(file.after ?? '');
  return (node) => {
    const last = node.end - node.start < 2 ? node.line : lineAt(starts, node.end - 1);
    return (counts[last + 1] ?? counts.at(-1) ?? 0) > (counts[node.line] ?? counts.at(-1) ?? 0);
  };
}

/** How many lines before each line of the new text are added. */
function addedCounts({ patchFile, after = '' }: ChangedFile): readonly number[] {
  const isNew: boolean[] = [];
  let shift = 0;
  for (const { oldStart, oldCount, lines } of patchFile.hunks) {
    let at = (oldCount === 0 ? oldStart : oldStart - 1) + shift;
    for (const { sign } of lines) {
      if (sign === '+') {
        isNew[at] = true;
        shift += 1;
      } else if (sign === '-') shift -= 1;
      if (sign !== '-') at += 1;
    }
  }
  const counts = [0];
  const total = lineStarts(after).length;
  for (let line = 0; line < total; line += 1) counts.push((counts[line] ?? 0) + (isNew[line] ? 1 : 0));
  return counts;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

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
    file.role === 'product' ? (readCode({ subject, path: file.path, text: file.after, tree: () => file.treeAfter() }) ?? []) : [],
  ),
);

/** Reads a text as code; `undefined` where its language is not read as such, or it is too long. */
export function readCode(options: {
  subject: AuditSubject;
  path: string;
  text: string | undefined;
  /** @default the text is parsed */
  tree?(): SyntaxNode | undefined;
}): CodeText | undefined {
  const { subject, path, text } = options;
  const language = languageOf(path);
  if (text === undefined || text.length > longest || language === undefined || language === 'bash') return undefined;
  const tree = options.tree?.() ?? parseSource({ language, text });
  const scope = readScope({ tree, isPython: language === 'python', readFile: (name) => subject.task.files.get(name) });
  return { path, tree, scope };
}
