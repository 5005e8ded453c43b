/** Shingles of a text's tokens; comments, blanks and layout do not count. */
function shingles(text: string): ReadonlySet<number> {
  const tokens =
    text.replace(/\/\*[\s\S]*?\*\/|^\s*(\/\/|#).*$/gm, '').match(/[A-Za-z_$][\w$]*|\d[\w.]*|"[^"\n]*"|'[^'\n]*'|[^\s\w]/g) ?? [];
  const found = new Set<number>();
  for (let start = 0; start + size <= tokens.length; start += 1) {
    let hash = 2_166_136_261;
    for (let index = start; index < start + size; index += 1)
      for (const character of `${(tokens[index] as string).replace(/^["']|["']$/g, '"')}\0`)
        hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
    found.add(hash >>> 0);
  }
  return found;
}

const size = 6;
/** Fewer say nothing: short files are alike by chance. */
const fewest = 30;
const share = 0.4;

/**
 * Files that hold the text of a source, whole or in large part: built copies, bundles, the sources of a build whose result
 * is what the tests load. Compared are runs of six tokens; a copy shares 40 % of the shorter file's.
 *
 * @returns each copy with the source that it holds and the share. Not covered: copies whose names were shortened.
 */
export function findBuiltCopies(options: {
  sources: readonly string[];
  others: readonly string[];
  texts: ReadonlyMap<string, string>;
}): readonly { readonly path: string; readonly of: string; readonly share: number }[] {
  const own = options.sources
    .map((path) => ({ path, shingles: shingles(options.texts.get(path) ?? '') }))
    .filter((source) => source.shingles.size >= fewest);
  return options.others.flatMap((path) => {
    const theirs = shingles(options.texts.get(path) ?? '');
    if (theirs.size < fewest) return [];
    for (const source of own) {
      let common = 0;
      for (const shingle of source.shingles) if (theirs.has(shingle)) common += 1;
      const found = common / Math.min(source.shingles.size, theirs.size);
      if (found >= share) return [{ path, of: source.path, share: found }];
    }
    return [];
  });
}

/** True for code that no reader wrote: long lines on average, or a header that says so. */
export function looksGenerated(text: string): boolean {
  const lines = text.split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  if (text.length > 2000 && text.length / Math.max(1, filled.length) > 200) return true;
  return /generated (by|from|with)|@generated|do not edit|\(function\(f\)\{if\(typeof exports===/i.test(text.slice(0, 600));
}
