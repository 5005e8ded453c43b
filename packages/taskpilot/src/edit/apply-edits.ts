import { type SpanEdit, TadpoleError, type TreeEdit } from '@tadpole/contracts';

/**
 * Applies edits to the text of one file, `null` where there is no such file before or after. Offsets count UTF-16 units of
 * `text` as given, so line ends, a byte order mark and characters outside the basic plane stay as they are.
 *
 * @throws TadpoleError `invalid-input` when edits name several files, overlap, reach outside the text, or stand beside one
 *   that writes the file whole.
 */
export function applyEdits(text: string, edits: readonly SpanEdit[]): string;
export function applyEdits(text: string | null, edits: readonly TreeEdit[]): string | null;
export function applyEdits(text: string | null, edits: readonly TreeEdit[]): string | null {
  const whole = edits.find((edit) => 'content' in edit);
  if (whole === undefined) return text === null && edits.length === 0 ? null : applySpans(text ?? '', edits as readonly SpanEdit[]);
  if (edits.length === 1) return whole.content;
  throw invalid(`expected one edit that writes ${whole.file} whole, got ${edits.length} edits of it`);
}

function applySpans(text: string, edits: readonly SpanEdit[]): string {
  const ordered = [...edits].sort((left, right) => left.start - right.start || left.end - right.end);
  let result = '';
  let at = 0;
  for (const edit of ordered) {
    if (edit.file !== ordered[0]?.file) {
      throw invalid(`expected edits of one file, got ${ordered[0]?.file} and ${edit.file}; group them by file first`);
    }
    if (
      !Number.isInteger(edit.start) ||
      !Number.isInteger(edit.end) ||
      edit.start > edit.end ||
      edit.end > text.length ||
      edit.start < at
    ) {
      throw invalid(`expected ordered, separate spans inside 0..${text.length}, got [${edit.start}, ${edit.end}) after ${at}`);
    }
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

function invalid(problem: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `applyEdits: ${problem}.` });
}
