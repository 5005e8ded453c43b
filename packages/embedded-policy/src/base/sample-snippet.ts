import type { CorpusFile } from './corpus-file.js';
import { looksLikeComment } from './lex-line.js';
import { lineMutations, pickMutation } from './line-mutations.js';
import { pick, pickInteger } from './pick.js';
import { samplePath } from './sample-path.js';

/** Lines of a region that an episode reads. */
export const WINDOW_LINES = 8;

/** A few lines of a file with one of them broken. */
export interface Snippet {
  readonly path: string;
  /** 1-based number of the first line shown. */
  readonly start: number;
  /** The lines as the file has them after the mutation. */
  readonly lines: readonly string[];
  /** Index of the mutated line in `lines`. */
  readonly broken: number;
  /** The mutated line before its mutation, trimmed. */
  readonly original: string;
  /** Indices of the lines that an edit may take: 12 to 90 characters without indent, unique here, open to a mutation. */
  readonly editable: readonly number[];
}

/** Where snippets come from. */
export interface SnippetSource {
  readonly pickFile: () => CorpusFile;
  /** Only their names are used. */
  readonly files: readonly CorpusFile[];
}

/** Draws a snippet. Tries files until one has a line that a mutation fits. */
export function sampleSnippet({ pickFile, files }: SnippetSource, random: () => number): Snippet {
  for (;;) {
    const file = pickFile();
    if (file.lines.length < WINDOW_LINES) continue;
    const first = pickInteger({ low: 0, high: file.lines.length - WINDOW_LINES, random });
    const lines = file.lines.slice(first, first + WINDOW_LINES);
    if (lines.some((line) => line.length > 140)) continue;
    const candidates = lines.flatMap((line, index) => (isEditable(line) ? [index] : []));
    if (candidates.length === 0) continue;
    const broken = pick(candidates, random);
    const original = lines[broken]!;
    const indent = original.length - original.trimStart().length;
    lines[broken] = original.slice(0, indent) + pickMutation(original.trim(), random);
    const texts = lines.map((line) => line.trim());
    const editable = texts.flatMap((text, index) => (isEditable(lines[index]!) && isUnique(text, texts) ? [index] : []));
    if (!editable.includes(broken)) continue;
    const start = pickInteger({ low: 1, high: pick([300, 300, 900, 1500], random), random });
    return { path: samplePath(files, random), start, lines, broken, original: original.trim(), editable };
  }
}

function isEditable(line: string): boolean {
  const text = line.trim();
  return text.length >= 12 && text.length <= 90 && !looksLikeComment(text) && lineMutations(text).length > 0;
}

/** An edit must match once: no other line of the snippet may contain the text. */
function isUnique(text: string, texts: readonly string[]): boolean {
  return texts.filter((other) => other.includes(text)).length === 1;
}
