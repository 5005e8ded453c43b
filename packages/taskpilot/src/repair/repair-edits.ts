import { applyEdits } from '../edit/apply-edits.js';
import { languageOf } from '../generator/languages/languages.js';
import type { MutationOperator } from '../generator/mutation-operator.js';
import { collectSites, type MutationSite, parseFile } from '../generator/mutation-site.js';
import { parsesClean } from '../generator/parses-clean.js';
import type { ParserCache } from '../generator/syntax-parser.js';

/** A part of a file as an agent has seen it. */
export interface ShownText {
  readonly text: string;
  /** 1-based number of its first line in the file. */
  readonly firstLine: number;
}

/** An exact replacement whose `before` occurs once in what was seen. */
export interface ExactReplacement {
  readonly before: string;
  readonly after: string;
}

/** Every change that an operator would make at a line of what was seen, or anywhere in it where no line is given. */
export async function repairEdits(options: {
  file: string;
  line: number | null;
  shown: ShownText;
  operators: readonly MutationOperator[];
  parsers: ParserCache;
}): Promise<readonly ExactReplacement[]> {
  const { file, line, shown, operators, parsers } = options;
  const language = languageOf(file);
  const source =
    language === null ? null : parseFile({ file, text: shown.text, language, parser: await parsers.parserFor(language.grammar) });
  if (source === null) return [];
  try {
    const isThere = (site: MutationSite) => line === null || site.line === line - shown.firstLine + 1;
    const edits = collectSites({ source, operators })
      .filter((site) => isThere(site) && parsesClean(site))
      .flatMap((site) => exactReplacement(site) ?? []);
    return [...new Map(edits.map((edit) => [JSON.stringify(edit), edit])).values()];
  } finally {
    source.tree.delete();
  }
}

/** Whole lines around the change, as many as it takes to occur once; `null` where all of them do not. */
function exactReplacement({ source, replacements }: MutationSite): ExactReplacement | null {
  const { text, file } = source;
  const after = applyEdits(
    text,
    replacements.map((part) => ({ file, ...part })),
  );
  let start = lineStart(text, replacements[0]?.start ?? 0);
  let end = lineEnd(text, replacements.at(-1)?.end ?? 0);
  while (text.indexOf(text.slice(start, end)) !== text.lastIndexOf(text.slice(start, end))) {
    if (start === 0 && end === text.length) return null;
    start = start === 0 ? 0 : lineStart(text, start - 1);
    end = end === text.length ? end : lineEnd(text, end + 1);
  }
  return { before: text.slice(start, end), after: after.slice(start, end + after.length - text.length) };
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}
