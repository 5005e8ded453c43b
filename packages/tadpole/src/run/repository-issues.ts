import type { Repository } from './configuration.js';

/** What is contradictory in a repository's lists of files, with the key it is about. */
export function repositoryIssues(
  repository: Pick<Repository, 'sourceFiles' | 'heldOutFiles' | 'testFiles' | 'hiddenPaths'>,
): readonly { readonly path: string[]; readonly message: string }[] {
  const { sourceFiles, heldOutFiles, testFiles, hiddenPaths } = repository;
  const isHidden = (file: string) => hiddenPaths.some((path) => file === path || file.startsWith(`${path.replace(/\/+$/, '')}/`));
  return [
    ...heldOutFiles
      .filter((file) => !sourceFiles.includes(file))
      .map((file) => ({ path: ['heldOutFiles'], message: `expected files of sourceFiles, got "${file}"` })),
    ...testFiles
      .filter((file) => !isHidden(file))
      .map((file) => ({ path: ['hiddenPaths'], message: `expected the test file "${file}" or a folder above it among them` })),
    ...sourceFiles.filter(isHidden).map((file) => ({ path: ['hiddenPaths'], message: `expected no source file below them, "${file}" is` })),
  ];
}
