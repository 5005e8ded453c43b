/** A patch without what it does to some files. */
export function dropFiles(options: { patch: string; paths: readonly string[] }): string {
  return options.patch
    .split(/^(?=diff --git )/m)
    .filter((part) => {
      const names = /^diff --git "?a\/(.+?)"? "?b\/(.+?)"?$/m.exec(part);
      return names === null || !(options.paths.includes(names[1] ?? '') || options.paths.includes(names[2] ?? ''));
    })
    .join('');
}
