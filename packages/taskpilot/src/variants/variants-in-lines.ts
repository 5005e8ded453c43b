import { applyEdits } from '../edit/apply-edits.js';
import { interleaveSites } from '../generator/interleave-sites.js';
import { languageOf } from '../generator/languages/languages.js';
import type { MutationOperator } from '../generator/mutation-operator.js';
import { collectSites, type MutationSite, parseFile } from '../generator/mutation-site.js';
import { parsesClean } from '../generator/parses-clean.js';
import { createParserCache } from '../generator/syntax-parser.js';
import type { SolvedVariants } from '../validate/control-gates.js';

/** Makes variants of a solved file out of operators: one change each, at most `limit`, nearest to the lines first and mixed by operator. */
export function variantsInLines(options: {
  operators: readonly MutationOperator[];
  limit: number;
  /** Lines around the given ones in which changes may lie too. */
  marginLines: number;
}): SolvedVariants {
  const { operators, limit, marginLines } = options;
  const parsers = createParserCache();
  return async ({ file, text, lines, random }) => {
    const language = languageOf(file);
    const parser = language === null ? null : await parsers.parserFor(language.grammar);
    const source = language === null || parser === null ? null : parseFile({ file, text, language, parser });
    if (source === null) return [];
    try {
      const distanceOf = (site: MutationSite) => linesOutside({ site, lines });
      const sites = collectSites({ source, operators }).filter((site) => distanceOf(site) <= marginLines);
      const nearest = [...interleaveSites({ sites, random })].sort((one, other) => distanceOf(one) - distanceOf(other));
      const texts = new Set<string>();
      for (const site of nearest) {
        if (texts.size === limit) break;
        const changed = applyEdits(
          text,
          site.replacements.map((replacement) => ({ file, ...replacement })),
        );
        if (changed !== null && changed !== text && !texts.has(changed) && parsesClean(site)) texts.add(changed);
      }
      return [...texts];
    } finally {
      source.tree.delete();
    }
  };
}

/** By how many lines a change reaches out of the given ones, on the side where it does so most. */
function linesOutside(options: { site: MutationSite; lines: { readonly start: number; readonly end: number } }): number {
  const { site, lines } = options;
  const { lineAt } = site.source.lines;
  const outside = site.replacements.map(({ start, end }) => [lines.start - lineAt(start), lineAt(Math.max(start, end - 1)) - lines.end]);
  return Math.max(0, ...outside.flat());
}
