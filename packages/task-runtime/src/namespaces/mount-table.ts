import { quote } from '../grading/grading-preparation.js';

/** One line of a mount table: source, target, type, options. fstab(5): blanks, tabs, newlines and backslashes are octal escapes. */
export function mountLine(fields: readonly string[]): string {
  return `${fields.map(escapeField).join(' ')} 0 0\n`;
}

/** A shell command that writes a text to a file. */
export function hereDocument(path: string, text: string): string {
  return `printf %s ${quote(text)} >${quote(path)}`;
}

/** A path as an option of an overlay: a backslash protects colons, commas and itself. */
export function overlayOption(path: string): string {
  return path.replace(/[\\:,]/g, (character) => `\\${character}`);
}

function escapeField(field: string): string {
  return field.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
