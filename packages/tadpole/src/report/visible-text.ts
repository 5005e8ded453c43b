/**
 * Makes characters visible that would act instead of being seen: C0 and C1 controls but tab and newline (a
 * terminal's escape sequences, NUL), and what reorders or hides text (bidirectional controls, zero-width
 * characters, lone surrogates). A control becomes its picture (`␛`), the others their code point (`⟨U+202E⟩`). Pure.
 *
 * Not covered: letters that look like other letters, and strong right-to-left letters, which are text.
 */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(actingCharacters, picture);
}

const actingCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
