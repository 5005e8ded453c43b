import { languageOf } from '../../generator/languages/languages.js';
import { shuffle } from '../../generator/shuffle.js';
import { createParserCache } from '../../generator/syntax-parser.js';
import { type FoundFunction, findFunctions } from '../find-functions.js';
import type { SourceFile } from '../source-file.js';

/** A function and the file that holds it. */
export interface FunctionSite {
  readonly source: SourceFile;
  readonly target: FoundFunction;
}

/** Every function of the sources, in random order; files without a grammar here have none. */
export async function functionSites(options: { sources: readonly SourceFile[]; random: () => number }): Promise<FunctionSite[]> {
  const parsers = createParserCache();
  const sites: FunctionSite[] = [];
  for (const source of options.sources) {
    const language = languageOf(source.file);
    // The node types of functions are those of JavaScript's grammars.
    if (language === null || !['javascript', 'typescript', 'tsx'].includes(language.grammar)) continue;
    const parser = await parsers.parserFor(language.grammar);
    sites.push(...findFunctions({ text: source.text, parser }).map((target) => ({ source, target })));
  }
  return shuffle(sites, options);
}
