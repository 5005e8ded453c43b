import { type SpanEdit, TadpoleError } from '@tadpole/contracts';

/**
 * Applies edits of one file to its text. Offsets are those of the text before any edit; edits must not overlap.
 * @throws TadpoleError `invalid-input` for offsets outside the text or overlapping edits.
 */
export function applySpanEdits(text: string, edits: readonly Pick<SpanEdit, 'start' | 'end' | 'text'>[]): string {
  const ordered = [...edits].sort((a, b) => a.start - b.start);
  let result = '';
  let position = 0;
  for (const edit of ordered) {
    if (edit.start < position || edit.end < edit.start || edit.end > text.length) {
      const message = `expected edits inside the text of ${text.length} characters that do not overlap, got [${edit.start}, ${edit.end})`;
      throw new TadpoleError({ code: 'invalid-input', message });
    }
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}
