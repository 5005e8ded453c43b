/** What a statement tells: the region of the file always, the line and what the test saw where they are given. */
export interface StatementFacts {
  readonly file: string;
  /** 1-based, both included. */
  readonly region: { readonly start: number; readonly end: number };
  /** 1-based; absent on the rung `region`. */
  readonly line?: number;
  /** That line's text, on the rung `quoted-line`. */
  readonly quoted?: string;
  readonly symptom: { readonly expected: string; readonly observed: string } | { readonly error: string };
}

/** Longest printed value and longest error message of a statement, ellipsis included. */
const VALUE_LENGTH = 24;
const ERROR_LENGTH = 48;

/**
 * The instruction of an episode, byte for byte as the first recipe's tasks word it:
 * `Fix lib/a.js lines 39-46. Line 42 is wrong: expected 3, got 4.`, then the line as Read shows it where it is quoted.
 */
export function statement({ file, region, line, quoted, symptom }: StatementFacts): string {
  const where = `Fix ${file} lines ${region.start}-${region.end}`;
  const what =
    'error' in symptom
      ? shorten(symptom.error, ERROR_LENGTH)
      : `expected ${shorten(symptom.expected, VALUE_LENGTH)}, got ${shorten(symptom.observed, VALUE_LENGTH)}`;
  if (line === undefined) return `${where}: ${what}.`;
  const named = `${where}. Line ${line} is wrong: ${what}.`;
  return quoted === undefined ? named : `${named}\n${line}. ${quoted}`;
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
