import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { relativePathSchema, type SpanEdit, TadpoleError, type TreeEdit } from '@tadpole/contracts';
import { applySpanEdits } from './apply-span-edits.js';

/** A file as some edits leave it; `text` is `null` where they remove it. */
export interface EditedFile {
  readonly path: string;
  readonly text: string | null;
}

/**
 * The files of a folder that edits change, as they leave them; nothing is written.
 * @throws TadpoleError `invalid-input` for a file that is not there and is to be edited in part, offsets outside of it, and
 *   several edits of one file of which one writes it whole.
 */
export async function editedFiles(options: { directory: string; edits: readonly TreeEdit[] }): Promise<readonly EditedFile[]> {
  const byFile = new Map<string, TreeEdit[]>();
  for (const edit of options.edits) {
    const { data: file } = relativePathSchema.safeParse(edit.file);
    if (file === undefined) throw refuse('an edit of a file inside the folder', edit.file);
    byFile.set(file, [...(byFile.get(file) ?? []), edit]);
  }
  return Promise.all([...byFile].map(async ([path, edits]) => ({ path, text: await textOf({ ...options, path, edits }) })));
}

async function textOf(options: { directory: string; path: string; edits: readonly TreeEdit[] }): Promise<string | null> {
  const { directory, path, edits } = options;
  const spans = edits.filter((edit): edit is SpanEdit => 'start' in edit);
  const whole = edits.find((edit) => 'content' in edit);
  if (whole !== undefined) {
    if (edits.length > 1) throw refuse(`one edit that writes ${path} whole`, `${edits.length} edits of it`);
    return whole.content;
  }
  const text = await readFile(join(directory, path), 'utf8').catch((cause: Error) => {
    throw refuse(`the edited file ${path} in the snapshot`, cause.message, cause);
  });
  return applySpanEdits(text, spans);
}

function refuse(expected: string, received: string, cause?: Error): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected ${expected}, got: ${received}`, cause });
}
