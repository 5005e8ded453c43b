import { dirname } from 'node:path/posix';
import type { NpmManifest } from './npm-manifest.js';
import { isAsidePath, isTestPath } from './path-roles.js';

/**
 * The folders of a repository's packages where it holds several, by its workspaces, or by manifests that stand in
 * folders and not at the root; none for a repository that is one package.
 */
export function nestedPackages(options: {
  paths: readonly string[];
  texts: ReadonlyMap<string, string>;
  manifest: NpmManifest | undefined;
}): readonly string[] {
  const { paths, texts, manifest } = options;
  const manifests = paths.filter(
    (path) => /\/(package\.json|pyproject\.toml|setup\.py)$/.test(path) && !isTestPath(path) && !isAsidePath(dirname(path)),
  );
  const folders = [...new Set(manifests.map(dirname))].filter((folder) => !isTestPath(`${folder}/x`) && !isAsidePath(`${folder}/x`));
  const declared = (manifest?.workspaces?.length ?? 0) > 0 || texts.has('pnpm-workspace.yaml') || texts.has('lerna.json');
  const ownRoot = ['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg'].some((name) => paths.includes(name));
  return declared || (!ownRoot && folders.length > 1) ? folders : [];
}
