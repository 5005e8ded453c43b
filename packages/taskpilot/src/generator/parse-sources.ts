import type { Snapshot } from '@tadpole/contracts';
import { readSource } from '../read-source.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { languageOf } from './languages/languages.js';
import { type ParsedFile, parseFile } from './mutation-site.js';
import type { ParserCache } from './syntax-parser.js';

/**
 * Parses the source files of a snapshot that have a language here and are UTF-8, in the order of their names.
 * The caller deletes the trees.
 *
 * @throws TadpoleError `storage` when a listed file cannot be read, `aborted` by the signal.
 */
export async function parseSources(options: {
  snapshot: Pick<Snapshot, 'directory' | 'sourceFiles'>;
  parsers: ParserCache;
  signal: AbortSignal | undefined;
}): Promise<ParsedFile[]> {
  const files: ParsedFile[] = [];
  try {
    for (const file of [...options.snapshot.sourceFiles].sort()) {
      throwIfAborted(options.signal, 'Proposing candidates');
      const language = languageOf(file);
      const text = language === null ? null : await readSource({ directory: options.snapshot.directory, file });
      if (language === null || text === null) continue;
      const parsed = parseFile({ file, text, language, parser: await options.parsers.parserFor(language.grammar) });
      if (parsed !== null) files.push(parsed);
    }
  } catch (error) {
    for (const { tree } of files) tree.delete();
    throw error;
  }
  return files;
}
