import { decompress, textOfBytes } from '../shell/decode-text.js';

/** A text that an expression may have. */
export interface CodeText {
  /** `*` stands for a part that is not known. */
  readonly text: string;
  readonly isConstant: boolean;
  readonly isDecoded: boolean;
}

/** An expression has at most so many texts. */
export const mostTexts = 24;

/** A text of which nothing is known. */
export const unknownText: CodeText = { text: '*', isConstant: false, isDecoded: false };

/** A text that is written as it is. */
export function plainText(text: string): CodeText {
  return { text, isConstant: true, isDecoded: false };
}

/** A text of which more is possible than what stands there. */
export function openText(text: CodeText): CodeText {
  return { ...text, isConstant: false };
}

/** A text that was made from another: decoded, unless it is the same. */
export function decodedText(before: CodeText, text: string): CodeText {
  return { text, isConstant: before.isConstant, isDecoded: before.isDecoded || before.text !== text };
}

/** The texts, or one that is not known where there are none. */
export function orUnknown(texts: readonly CodeText[]): readonly CodeText[] {
  return texts.length === 0 ? [unknownText] : texts;
}

/** Every way to put one text of each part after the other, as far as there are few. */
export function joinTexts(parts: readonly (readonly CodeText[])[], separator: string): readonly CodeText[] {
  let joined: CodeText[] = [{ text: '', isConstant: true, isDecoded: false }];
  for (const [index, part] of parts.entries()) {
    const between = index === 0 ? '' : separator;
    joined = joined
      .flatMap((left) =>
        part.map((right) => ({
          text: left.text + between + right.text,
          isConstant: left.isConstant && right.isConstant,
          isDecoded: left.isDecoded || right.isDecoded,
        })),
      )
      .slice(0, mostTexts);
  }
  return joined.filter(({ text }) => text.length < 1_000_000);
}

/** The texts that a decoder gives; those that it cannot read are left out. Bytes of an archive stay bytes. */
export function decodeTexts(texts: readonly CodeText[], decode: (text: string) => Uint8Array | undefined): readonly CodeText[] {
  return texts.flatMap(({ text, isConstant }) => {
    const bytes = decode(text);
    if (!bytes) return [];
    const isPacked = decompress(bytes) !== undefined;
    return [{ text: isPacked ? Buffer.from(bytes).toString('latin1') : textOfBytes(bytes), isConstant, isDecoded: true }];
  });
}

/** Folder of a path; of one that is not known it is not known either. */
export function parentOf(path: string): string {
  if (path === '*') return '*';
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '..';
}
