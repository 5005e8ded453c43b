import { basename, extname } from 'node:path/posix';

/** A language of source files. */
export type RepositoryLanguage = 'javascript' | 'typescript' | 'python';

const languages: Readonly<Record<string, RepositoryLanguage>> = {
  ...{ '.js': 'javascript', '.cjs': 'javascript', '.mjs': 'javascript', '.jsx': 'javascript' },
  ...{ '.ts': 'typescript', '.cts': 'typescript', '.mts': 'typescript', '.tsx': 'typescript' },
  '.py': 'python',
};

/** Names of folders, by the role that they usually have. */
const folders = {
  /** Never copied: version control, caches, installed packages. */
  tool: new Set(
    '.git .hg .svn .bzr node_modules __pycache__ .tox .nox .venv .mypy_cache .pytest_cache .ruff_cache .nyc_output .eggs'.split(' '),
  ),
  test: new Set('test tests __tests__ spec specs __specs__ __mocks__ __fixtures__ __snapshots__ testdata e2e cypress'.split(' ')),
  built: new Set('dist build out umd amd esm cjs bundle bundles _build .next coverage htmlcov'.split(' ')),
  aside: new Set(
    [
      ...'docs doc example examples demo demos sample samples bench benches benchmark benchmarks perf scripts script tools'.split(' '),
      ...'vendor vendored _vendor third_party third-party extern externals website site fuzz .github .storybook debian'.split(' '),
    ].flat(),
  ),
} as const;

const testName = /(^|[._-])(test|tests|spec)\.[cm]?[jt]sx?$|(^|\/)test[_-][^/]*\.([cm]?[jt]sx?|py)$|_tests?\.py$|(^|\/)tests?\.py$/i;
const typeTestName = /\.(test-d|tst)\.[cm]?tsx?$/i;
const helperName = /^(conftest\.py|test[-_]?(helpers?|utils?|setup)\.\w+)$/i;
const configurationName =
  /^(setup|conf|noxfile|fabfile|tasks|versioneer|_version|gruntfile|gulpfile|karma\.conf|webpack[^/]*|rollup[^/]*)\.\w+$|\.config\.[cm]?[jt]s$|^\..*rc\.[cm]?js$/i;

/** The language of a file by its ending; declarations of types alone are none. */
export function languageOf(path: string): RepositoryLanguage | undefined {
  return /\.d\.[cm]?ts$/.test(path) ? undefined : languages[extname(path)];
}

/** True for a file that a language of {@link RepositoryLanguage} is written in. */
export function isCodePath(path: string): boolean {
  return languageOf(path) !== undefined;
}

/** True for a folder that is never part of a repository's content, by its name. */
export function isToolFolder(name: string): boolean {
  return folders.tool.has(name);
}

/** The topmost folder on a file's way that is named like one for tests, or `undefined`. */
export function testFolderOf(path: string): string | undefined {
  return folderOf(path, folders.test);
}

/** The topmost folder on a file's way that is named like one for what a build makes, or `undefined`. */
export function builtFolderOf(path: string): string | undefined {
  return folderOf(path, folders.built);
}

/** True for a file named as a test is. */
export function isTestName(path: string): boolean {
  return testName.test(basename(path)) && !typeTestName.test(path);
}

/** True for what belongs to the tests: inside a folder of tests, or a test, a test of types or a helper by its name. */
export function isTestPath(path: string): boolean {
  const name = basename(path);
  return testFolderOf(path) !== undefined || testName.test(name) || typeTestName.test(name) || helperName.test(name);
}

/** True for configuration, documentation, examples, benchmarks, scripts and vendored code: nothing to make a task of. */
export function isAsidePath(path: string): boolean {
  return folderOf(path, folders.aside) !== undefined || configurationName.test(basename(path));
}

/** True for files that no reader wrote, by name: minified code, source maps, archives, compiled Python. */
export function isBuiltName(path: string): boolean {
  return /[.-]min\.[cm]?js$|\.(map|tgz|whl|egg|zip|gz|pyc|pyo|orig|rej)$/.test(path);
}

function folderOf(path: string, names: ReadonlySet<string>): string | undefined {
  const parts = path.split('/');
  const depth = parts.slice(0, -1).findIndex((part) => names.has(part.toLowerCase()));
  return depth < 0 ? undefined : parts.slice(0, depth + 1).join('/');
}
