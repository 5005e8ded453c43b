import { TadpoleError } from '@tadpole/contracts';
import { secretEdges } from './secret-edges.js';
import { type SecretPattern, secretPatterns } from './secret-patterns.js';
import { secretSpellings, spellingFinder, withoutLineBreaks } from './secret-spellings.js';

/** Not counting line breaks. Shorter values stand in ordinary text too often to be taken out of it. */
const MIN_SECRET_CHARACTERS = 8;

/** Takes secrets out of text that is about to leave the process. */
export interface Redactor {
  /**
   * The pieces of one text, in order, each with what it holds of a secret replaced: a secret may reach over the
   * border of two pieces. `count` is the number of secrets.
   */
  redact(pieces: readonly string[]): { readonly pieces: readonly string[]; readonly count: number };
}

/**
 * Makes a redactor for known values and for keys that are known by their form (14 kinds, `secretPatterns`).
 *
 * Covered: a known value in plain, in JSON text (also in ASCII alone), percent-encoded (also as forms and Python do it), hexadecimal, in base64 and base64url at any position,
 * broken over lines, over the border of two pieces, or cut off by a tool's truncation mark (8 characters of it or more); a key
 * of a known form in plain. Not covered: a value that is reversed, compressed, encrypted, encoded twice or spelled in
 * parts with text between, a known form that is encoded or of more than 100,000 characters, values under 8 characters,
 * and the rest of a value of which the sandbox dropped a part.
 *
 * @throws TadpoleError `invalid-input` for a value of fewer than 8 characters.
 */
export function createRedactor(
  options: {
    /** Known values by name; the name stands in the place of the value. @default none */
    secrets?: Readonly<Record<string, string>>;
    /** @default secretPatterns() */
    patterns?: readonly SecretPattern[];
  } = {},
): Redactor {
  const { secrets = {}, patterns = secretPatterns() } = options;
  const known = Object.entries(secrets).map(([name, value]) => {
    if (withoutLineBreaks(value).length < MIN_SECRET_CHARACTERS) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `createRedactor: expected the secret ${name} to have at least ${MIN_SECRET_CHARACTERS} characters, received ${value.length}. Leave it out: so short a text cannot be told from others.`,
      });
    }
    return { name, value, spellings: secretSpellings(value) };
  });
  return {
    redact(pieces) {
      const text = pieces.join('');
      const find = known.length === 0 ? () => [] : spellingFinder(text);
      const spelled = known.flatMap(({ name, value, spellings }) =>
        [...spellings.flatMap(find), ...secretEdges(text, value)].map((span) => ({ ...span, name })),
      );
      const formed = patterns.flatMap(({ name, pattern }) =>
        Array.from(text.matchAll(pattern), (match) => ({ name, start: match.index, end: match.index + match[0].length })),
      );
      const found = withoutOverlap([...spelled, ...formed]);
      return { pieces: found.length === 0 ? pieces : replaceSpans(pieces, found), count: found.length };
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Spans in order; of two that overlap, the one that begins first takes both. */
function withoutOverlap(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((left, right) => left.start - right.start || right.end - left.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}

/** The piece in which a span begins gets its name; the others lose their part of it. */
function replaceSpans(pieces: readonly string[], spans: readonly Span[]): string[] {
  let offset = 0;
  let next = 0;
  return pieces.map((piece) => {
    const [start, end] = [offset, offset + piece.length];
    offset = end;
    let result = '';
    let at = start;
    for (; next < spans.length && spans[next]!.start < end; next += 1) {
      const span = spans[next]!;
      result += piece.slice(at - start, Math.max(span.start, start) - start);
      if (span.start >= start) result += `[redacted:${span.name}]`;
      at = Math.min(span.end, end);
      if (span.end > end) break;
    }
    return result + piece.slice(at - start);
  });
}
