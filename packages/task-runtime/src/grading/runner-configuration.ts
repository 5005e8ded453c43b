/**
 * Names of files and folders that a test runner, a transformer or an interpreter takes up by itself, in any folder.
 * Grading has them as the base has them: a repair of them counts for nothing, and neither does a planted one.
 */
export const runnerConfigurationNames = [
  'node_modules',
  // Compiled Python that may claim to need no check against its source.
  '__pycache__',
  '*.pyc',
  ...['conftest.py', 'sitecustomize.py', 'usercustomize.py', '*.pth', 'pytest.ini', '.pytest.ini'],
  // Jest takes a package's double from here unasked.
  '__mocks__',
  ...['__snapshots__', '*.snap'],
  ...['jest.config.*', 'vitest.config.*', 'vitest.workspace.*', 'vite.config.*', '.mocharc*', '.taprc', 'postcss.config.*', '.postcssrc*'],
  ...['babel.config.*', '.babelrc*', '.swcrc'],
] as const;

const patterns = runnerConfigurationNames.map((name) => new RegExp(`^${name.replace(/[.]/g, '\\.').replaceAll('*', '.*')}$`));

/** The topmost paths of a tree's files that bear one of {@link runnerConfigurationNames}, compiled Python left out. */
export function runnerConfigurationPaths(files: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const file of files) {
    const parts = file.split('/');
    const depth = parts.findIndex((part) => patterns.some((pattern) => pattern.test(part)));
    if (depth < 0) continue;
    const path = parts.slice(0, depth + 1).join('/');
    if (!/(^|\/)__pycache__$|\.pyc$/.test(path)) found.add(path);
  }
  return [...found];
}
