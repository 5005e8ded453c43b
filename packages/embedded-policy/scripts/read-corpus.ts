import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { CorpusFile } from '../src/base/corpus-file.js';

const SKIPPED =
  /(?:^|\/)(?:node_modules|dist|build|min|test|tests|__tests__|spec|coverage|examples?|vendor|third_party|benchmarks?|fixtures|locales?|messages|umd|esm|es|amd|fp)(?:\/|$)|\.min\.|[.-]bundle\./;
const LONG_LINE = 25;

/**
 * The source files of packages: JavaScript outside tests, builds and vendored folders, neither minified nor generated, each once
 * (a file most of whose long lines came before is a copy). Files that share `sharedLines` or more distinct
 * long lines with the files below `excluded` are left out, whatever package they stand in.
 */
export async function readCorpus(options: { folders: readonly string[]; excluded: readonly string[]; sharedLines?: number }): Promise<{
  files: CorpusFile[];
  /** Paths that were left out because of `excluded`. */
  contaminated: string[];
}> {
  const { folders, excluded, sharedLines = 4 } = options;
  const forbidden = await linesBelow(excluded);
  const seen = new Set<string>();
  const files: CorpusFile[] = [];
  const contaminated: string[] = [];
  for (const folder of folders) {
    for (const path of await sourcePaths(folder, (inside) => !SKIPPED.test(inside))) {
      const text = (await readFile(path, 'utf8')).replace(/\r\n?/g, '\n');
      const lines = text.split('\n');
      if (!isHandWritten(lines)) continue;
      const long = longLines(text);
      if (long.filter((line) => forbidden.has(line)).length >= sharedLines) {
        contaminated.push(`${basename(folder)}/${relative(folder, path)}`);
        continue;
      }
      if (long.length > 0 && long.filter((line) => seen.has(line)).length > 0.5 * long.length) continue;
      for (const line of long) seen.add(line);
      files.push({ path: `${basename(folder)}/${relative(folder, path)}`, text, lines });
    }
  }
  return { files, contaminated };
}

async function linesBelow(folders: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const folder of folders) {
    for (const path of await sourcePaths(folder, () => true)) {
      for (const line of longLines(await readFile(path, 'utf8'))) found.add(line);
    }
  }
  return found;
}

async function sourcePaths(folder: string, accepts: (path: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => accepts(relative(folder, path)))
    .sort();
}

function isHandWritten(lines: readonly string[]): boolean {
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  const digits = lines.reduce((sum, line) => sum + line.replace(/\D/g, '').length, 0);
  return (
    lines.length >= 12 &&
    characters < 200_000 &&
    digits < 0.2 * characters &&
    characters / lines.length < 70 &&
    lines.every((line) => line.length < 400)
  );
}

/** Distinct lines of code that are long enough to tell where they come from. */
function longLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line.length >= LONG_LINE && !/^(?:\/\/|\/\*|\*)/.test(line) && /[=<>+\-*/&|!?(]/.test(line)))];
}
