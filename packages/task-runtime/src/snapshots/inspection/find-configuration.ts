import type { TestRunner } from '@tadpole/contracts';

const files: Readonly<Partial<Record<TestRunner, RegExp>>> = {
  vitest: /^(vitest|vite)\.config\.[cm]?[jt]s$/,
  jest: /^jest\.config\.([cm]?js|json)$/,
};

/** What changes how a test file is loaded: without it, tests that rely on it fail. */
const needed =
  /\b(alias|conditions|globals|plugins|environment|setupFiles|setupFilesAfterEnv|moduleNameMapper|moduleDirectories|modulePaths|preset|transform|resolver|testEnvironment)\b/;

/**
 * The runner's configuration at the root, where the tests may not run without it; vitest's own comes before vite's. Its
 * text is searched for settings that change how files are loaded, and nothing of it is executed.
 *
 * @returns the file, and a note for configuration that is there and not used.
 */
export function findConfiguration(options: { runner: TestRunner; paths: readonly string[]; texts: ReadonlyMap<string, string> }): {
  readonly configFile: string | undefined;
  readonly notes: readonly string[];
} {
  const { runner, paths, texts } = options;
  const found = paths
    .filter((path) => files[runner]?.test(path))
    .sort((a, b) => Number(b.startsWith('vitest')) - Number(a.startsWith('vitest')));
  const [configFile] = found;
  if (configFile !== undefined) {
    if (needed.test(texts.get(configFile) ?? '')) return { configFile, notes: [`the tests run with ${configFile}`] };
    return { configFile: undefined, notes: [`${configFile} is not used: nothing in it changes how tests are loaded`] };
  }
  const others = {
    pytest: ['pytest.ini', 'tox.ini', 'setup.cfg', 'pyproject.toml'].filter((path) =>
      /\[(tool[:.])?pytest(\.ini_options)?\]/.test(texts.get(path) ?? ''),
    ),
    jest: texts.get('package.json')?.includes('"jest": {') ? ['package.json'] : [],
  };
  const unused = runner === 'pytest' || runner === 'jest' ? others[runner] : [];
  return { configFile: undefined, notes: unused.map((path) => `the configuration of ${runner} in ${path} is not used`) };
}
