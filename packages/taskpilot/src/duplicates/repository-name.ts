/** A repository or package by name, in lower case. */
export interface RepositoryName {
  /** `null` for a package without a scope. */
  readonly owner: string | null;
  readonly name: string;
}

/**
 * Reads what sources call a repository: `owner/name`, `owner/name@commit`, an address of any host, a package
 * (`name@version`, `@scope/name@version`, Debian's `python3-name`), SWE-smith's `swesmith/owner__name.commit`, an
 * `owner__name`. Case, version, `.git` and the difference of `-`, `_` and `.` do not count. A package that is named
 * unlike its repository (scikit-learn, sklearn) is not recognised.
 */
export function repositoryName(source: string): RepositoryName {
  const path = source
    .slice(0, 500)
    .trim()
    .toLowerCase()
    .replace(/^(?:git\+)?[a-z]+:\/\/[^/]*\//, '')
    .replace(/^git@[^:]*:/, '')
    .replace(/^(?:www\.)?(?:github|gitlab|bitbucket)\.(?:com|org)\//, '')
    .replace(/^swesmith\/(.*)\.[0-9a-f]{8}$/, '$1')
    .replace(/[#?].*$/, '')
    .replace(/(?!^)@.*$/, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  const parts = (path.includes('/') ? path.split('/') : path.split('__')).filter((part) => part !== '');
  const name = (parts[1] ?? parts[0] ?? '').replace(/[._-]+/g, '-').replace(/^python3?-/, '');
  const owner = parts[1] === undefined ? null : (parts[0] as string).replace(/^@/, '');
  return { owner, name };
}
