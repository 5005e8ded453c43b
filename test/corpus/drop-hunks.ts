/** A patch without the named parts: a path stands for all of a file's change, `path#2` for its second hunk. */
export function dropHunks(options: { patch: string; parts: readonly string[] }): { patch: string; missing: readonly string[] } {
  const missing = new Set(options.parts);
  const files = options.patch.split(/^(?=diff --git )/m).filter((file) => file !== '');
  const kept = files.flatMap((file) => {
    const path = pathOf(file);
    if (missing.delete(path)) return [];
    const wanted = options.parts.filter((part) => part.startsWith(`${path}#`));
    if (wanted.length === 0) return [file];
    const [header = '', ...hunks] = file.split(/^(?=@@ )/m);
    const rest = hunks.filter((_, index) => !missing.delete(`${path}#${index + 1}`));
    return rest.length === 0 ? [] : [header + rest.join('')];
  });
  return { patch: kept.join(''), missing: [...missing] };
}

function pathOf(file: string): string {
  return /^diff --git a\/(.+) b\/\1$/m.exec(file)?.[1] ?? '';
}

/** Lines that a patch adds, without their sign. */
export function addedLines(patch: string): readonly string[] {
  return patch
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++ '))
    .map((line) => line.slice(1));
}
