import type { MutationSite } from './mutation-site.js';

/**
 * Builds the test that a changed line must pass, so that replacing the whole trimmed line is an exact
 * and unambiguous edit: the trimmed line has a length inside `lineLength` and occurs once in its file,
 * before the change and after it. Lengths are UTF-16 units.
 */
export function createLineRule(options: {
  lineLength: readonly [number, number];
  uniqueLines: boolean;
}): (site: MutationSite, mutated: string) => boolean {
  const [shortest, longest] = options.lineLength;
  return (site, mutated) => {
    const { lines, text } = site.source;
    const start = lines.startOf(site.line);
    const original = lines.textOf(site.line);
    const grown = original.length + mutated.length - text.length;
    const before = original.trim();
    const after = mutated.slice(start, start + grown).trim();
    return [before, after].every((line) => line.length >= shortest && line.length <= longest) && before !== after && isUnique();

    function isUnique(): boolean {
      return !options.uniqueLines || (occursOnce(text, before) && occursOnce(mutated, after));
    }
  };
}

function occursOnce(text: string, line: string): boolean {
  const first = text.indexOf(line);
  return first !== -1 && text.indexOf(line, first + 1) === -1;
}
