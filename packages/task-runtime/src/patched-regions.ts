/** What a patch leaves behind in one file: the new side of each hunk, its context included. */
export interface PatchedRegions {
  readonly file: string;
  readonly hunks: readonly string[];
}

/**
 * Reads from a git patch what a patched file is known by. Files in which the patch adds no line with text are left out,
 * as are binary ones: nothing would tell their old content from the new.
 */
export function patchedRegions(patch: string): readonly PatchedRegions[] {
  const files: { file: string; hunks: string[][]; adds: boolean }[] = [];
  let remaining = { old: 0, fresh: 0 };
  for (const line of patch.split('\n')) {
    const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    const current = files.at(-1);
    if (remaining.old <= 0 && remaining.fresh <= 0) {
      if (line.startsWith('+++ ')) files.push({ file: line.slice(4).replace(/^b\//, ''), hunks: [], adds: false });
      else if (header !== null && current !== undefined) {
        remaining = { old: Number(header[1] ?? 1), fresh: Number(header[2] ?? 1) };
        current.hunks.push([]);
      }
      continue;
    }
    const [mark, text] = [line[0] ?? ' ', line.slice(1)];
    if (mark === '\\') continue;
    if (mark !== '+') remaining.old -= 1;
    if (mark === '-') continue;
    remaining.fresh -= 1;
    current?.hunks.at(-1)?.push(text);
    if (mark === '+' && text.trim() !== '' && current !== undefined) current.adds = true;
  }
  return files.filter(({ adds }) => adds).map(({ file, hunks }) => ({ file, hunks: hunks.map((lines) => lines.join('\n')) }));
}
