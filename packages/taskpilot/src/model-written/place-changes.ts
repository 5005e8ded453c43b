import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FileEdit, generatedLineageSchema, type Snapshot, type SpanEdit, type TreeEdit } from '@tadpole/contracts';
import { z } from 'zod';
import { createLineIndex } from '../generator/line-index.js';
import { isHidden } from '../validate/hidden-files.js';
import { AnswerFault } from './answer-fault.js';
import type { SourceFile } from './source-file.js';

/** Text that says something. A refinement, since not every endpoint takes lengths in a schema. */
export const someText = z.string().refine((value) => value.trim() !== '', 'expected some text');

/** An exact replacement, as models write it best: by the text itself, not by its place. */
export const replacementSchema = z.strictObject({ file: someText, oldText: someText, newText: z.string() });
/** A file written whole. */
export const wholeFileSchema = z.strictObject({ file: someText, content: someText });

type Change = z.infer<typeof replacementSchema> | z.infer<typeof wholeFileSchema>;

/** Turns the changes of an answer into edits that apply together. Throws {@link AnswerFault}. */
export function placeChanges(options: { snapshot: Snapshot; sources: readonly SourceFile[]; changes: readonly Change[] }): TreeEdit[] {
  const edits = options.changes.map((change) =>
    'content' in change ? placeFile({ ...options, change }) : placeText({ ...change, text: sourceText(options.sources, change.file) }),
  );
  for (const [index, edit] of edits.entries()) {
    const other = edits.slice(0, index).find((earlier) => earlier.file === edit.file && overlap(earlier, edit));
    if (other !== undefined) fail('overlapping-edits', `two changes of ${edit.file} touch the same text; make them one.`);
  }
  return edits;
}

/** An exact replacement as an edit; line ends are the file's. Throws {@link AnswerFault}. */
export function placeText(options: { file: string; text: string; oldText: string; newText: string }): SpanEdit {
  const { file, text } = options;
  const [oldText, newText] = [options.oldText, options.newText].map((part) =>
    text.includes('\r\n') ? part.replace(/\r?\n/g, '\r\n') : part,
  ) as [string, string];
  const start = text.indexOf(oldText);
  if (start === -1) fail('text-not-found', `oldText does not occur in ${file}; copy it exactly, white space included.`);
  if (text.includes(oldText, start + 1))
    fail('text-not-unique', `oldText occurs more than once in ${file}; copy more of the text around it.`);
  if (oldText === newText) fail('no-change', 'newText is oldText.');
  return { file, start, end: start + oldText.length, text: newText };
}

/** The 1-based line of the untouched file at which an edit begins to differ from it; 1 for a file that is written whole. */
export function lineOf(options: { sources: readonly SourceFile[]; edit: TreeEdit }): number {
  const { sources, edit } = options;
  const text = sources.find(({ file }) => file === edit.file)?.text;
  if (text === undefined || 'content' in edit) return 1;
  let at = edit.start;
  while (at < edit.end && text[at] === edit.text[at - edit.start]) at++;
  return createLineIndex(text).lineAt(Math.min(at, text.length - 1));
}

/** A test file for the grader: new, and apart from the sources. Throws {@link AnswerFault}. */
export function assertNewFile(options: { snapshot: Snapshot; file: string }): void {
  const { snapshot, file } = options;
  if (!generatedLineageSchema.shape.file.safeParse(file).success) fail('wrong-file', `${file} is no relative path.`);
  const folders = file.split('/').slice(0, -1);
  const isBelowFile = folders.some((_, index) =>
    statSync(join(snapshot.directory, ...folders.slice(0, index + 1)), { throwIfNoEntry: false })?.isFile(),
  );
  if (isBelowFile) fail('wrong-file', `${file} lies below a file; give another path.`);
  if (existsSync(join(snapshot.directory, file))) fail('wrong-file', `${file} exists; give a new path.`);
}

function placeFile(options: { snapshot: Snapshot; sources: readonly SourceFile[]; change: FileEdit & { content: string } }): FileEdit {
  const { snapshot, sources, change } = options;
  const { file, content } = change;
  const source = sources.find((known) => known.file === file);
  if (source?.text === content) fail('no-change', `the content of ${file} is what it was.`);
  if (source === undefined) assertNewFile({ snapshot, file });
  if (isHidden({ file, hiddenPaths: snapshot.hiddenPaths })) fail('wrong-file', `${file} is no place for source code.`);
  return { file, content };
}

function sourceText(sources: readonly SourceFile[], file: string): string {
  return sources.find((source) => source.file === file)?.text ?? fail('wrong-file', `${file} is none of the source files.`);
}

function overlap(left: TreeEdit, right: TreeEdit): boolean {
  return 'content' in left || 'content' in right || (left.start < right.end && right.start < left.end);
}

/** Ends the reading of an answer. */
export function fail(reason: AnswerFault['reason'], problem: string): never {
  throw new AnswerFault({ reason, problem });
}
