/** A piece of text that a judge sees as data and may cite by its id. */
export interface JudgeSpan {
  readonly id: string;
  /** Who wrote it: `task` texts are the task's own, `agent` texts may be an attack. */
  readonly author: 'task' | 'agent';
  readonly label: string;
  readonly text: string;
  /** True when text was left out. */
  readonly truncated: boolean;
}

const invisible = /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e01ef}]/gu;

/** Shows zero-width, bidi and tag characters as `‹U+200B›`. */
export function showInvisible(text: string): string {
  return text.replace(invisible, (character) => `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);
}

/** Cuts the middle of a long text and says so where it was. `most` is in UTF-16 units. */
export function cutMiddle(text: string, most: number): { text: string; truncated: boolean } {
  if (text.length <= most) return { text, truncated: false };
  const half = Math.floor(most / 2);
  return { text: `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out]\n${text.slice(-half)}`, truncated: true };
}

/**
 * Writes a span as one line of JSON between marks that hold a nonce which no policy can know, with the line's length before it. What looks
 * like a mark or a role's tag is escaped, so that nothing inside ends the block.
 */
export function fence(options: { span: JudgeSpan; nonce: string }): string {
  const { span, nonce } = options;
  const { label, truncated } = span;
  const line = JSON.stringify({ author: span.author, label: showInvisible(label), truncated, text: showInvisible(span.text) })
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e');
  return `<<<DATA ${nonce} ${span.id} length=${line.length}\n${line}\nEND ${nonce} ${span.id}>>>`;
}
