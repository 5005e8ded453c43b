/** A text without its white space, to compare code and values however they are laid out. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}
