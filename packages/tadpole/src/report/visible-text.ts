/**
 * Makes characters visible that would act instead of being seen: control characters but tab and newline (a
 * terminal's escape sequences, NUL), and what reorders, joins or hides text (Unicode's format characters, ignorable
 * code points, line separators, lone surrogates). A control becomes its picture (`␛`), the others their code point
 * (`⟨U+202E⟩`). Pure.
 *
 * Not covered: letters that look like other letters, and strong right-to-left letters, which are text.
 */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(actingCharacters, picture);
}

const actingCharacters = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
