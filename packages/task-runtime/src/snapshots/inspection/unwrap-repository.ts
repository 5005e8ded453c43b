import { join } from 'node:path';
import { type RepositoryFiles, readRepositoryFiles } from './read-repository-files.js';

/** The folder that Python finds a package in, where the given one only wraps it, as an unpacked Debian package does. */
export async function unwrapRepository(files: RepositoryFiles): Promise<RepositoryFiles> {
  if (['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg'].some((name) => files.paths.includes(name))) return files;
  const homes = new Set(files.paths.flatMap((path) => /^(.+)\/[^/]+\.(dist|egg)-info\/(METADATA|PKG-INFO)$/.exec(path)?.[1] ?? []));
  const [home] = homes;
  if (home === undefined || homes.size > 1) return files;
  const inner = await readRepositoryFiles({ directory: join(files.directory, home) });
  return { ...inner, notes: [`the repository is ${home}, where the given folder's Python package lies`, ...inner.notes] };
}
