import type { TestRunner } from '@tadpole/contracts';
import { packageOf } from './javascript-imports.js';
import type { ModuleGraph } from './module-graph.js';
import type { NpmManifest } from './npm-manifest.js';
import { isTestName, languageOf } from './path-roles.js';

/** Packages that only tests of one runner import. */
const frameworks: Readonly<Record<string, TestRunner>> = {
  ...{ 'node:test': 'node-test', test: 'node-test', tape: 'tape', mocha: 'mocha', vitest: 'vitest', '@jest/globals': 'jest' },
};
/** Runners that this runtime has no structured reporter for. */
const unsupported = [
  'ava',
  'tap',
  'uvu',
  'qunit',
  'jasmine',
  'lab',
  '@hapi/lab',
  'bun:test',
  'baretest',
  'zora',
  'tapzero',
  'nodeunit',
  'vows',
];

const globalCall = /^[ \t]*(describe|it|test|suite|context|specify)(\.\w+)*\s*[(`]/m;

/** How the files of a repository that look like tests are written. */
export interface FoundRunner {
  readonly runner: TestRunner | undefined;
  /** The files that this runner's tests stand in. */
  readonly testFiles: readonly string[];
  /** Why, in words; for no runner, what was found instead. */
  readonly reason: string;
}

/** Decides by what the test files import, and for those that use globals by what the manifest names. */
export function findTestRunner(options: {
  /** Files that lie or are named as tests do. */
  candidates: readonly string[];
  texts: ReadonlyMap<string, string>;
  graph: ModuleGraph;
  manifest: NpmManifest | undefined;
  /** The caller's choice. */
  runner?: TestRunner | undefined;
}): FoundRunner {
  const { candidates, texts, graph, manifest } = options;
  const byRunner = new Map<TestRunner | 'globals' | 'unsupported', string[]>();
  const others = new Set<string>();
  for (const path of candidates) {
    const kind = kindOf(path);
    if (kind !== undefined) byRunner.set(kind, [...(byRunner.get(kind) ?? []), path]);
  }
  const globals = byRunner.get('globals') ?? [];
  const globalRunner = globals.length === 0 ? undefined : runnerOfGlobals({ manifest, texts, globals });
  if (globalRunner !== undefined) byRunner.set(globalRunner, [...(byRunner.get(globalRunner) ?? []), ...globals].sort());
  byRunner.delete('globals');
  const refused = byRunner.get('unsupported') ?? [];
  byRunner.delete('unsupported');
  const supported = [...byRunner] as [TestRunner, string[]][];
  const [best] = supported.sort((a, b) => b[1].length - a[1].length);
  const runner = options.runner ?? best?.[0];
  if (runner === undefined || (options.runner === undefined && refused.length > (best?.[1].length ?? 0))) {
    const reason = others.size === 0 ? 'no file was found that looks like a test' : `its tests are written for ${[...others].join(', ')}`;
    return { runner: undefined, testFiles: [], reason };
  }
  const testFiles = withoutLoaded(byRunner.get(runner) ?? [], graph);
  const rest = supported.filter(([name]) => name !== runner).map(([name, files]) => `${files.length} of ${name}`);
  const besides = [...rest, ...(refused.length === 0 ? [] : [`${refused.length} of ${[...others].join(', ')}`])];
  const reason = `${testFiles.length} test files of ${runner}${besides.length === 0 ? '' : `, beside ${besides.join(' and ')}, which are not run`}`;
  return { runner, testFiles, reason };

  function kindOf(path: string): TestRunner | 'globals' | 'unsupported' | undefined {
    const text = texts.get(path) ?? '';
    if (languageOf(path) === 'python') {
      const named = isTestName(path) && /^[ \t]*(async )?def test|\bTestCase\b/m.test(text);
      return named || /^class \w+\(.*\bTestCase\)/m.test(text) ? 'pytest' : undefined;
    }
    const imported = graph.get(path)?.packages.map(({ name }) => name) ?? [];
    for (const name of imported) if (Object.hasOwn(frameworks, name)) return frameworks[name];
    const other = imported.find((name) => unsupported.includes(packageOf(name)));
    if (other !== undefined) {
      others.add(other);
      return 'unsupported';
    }
    return globalCall.test(text) ? 'globals' : undefined;
  }
}

/** Test files of Node.js that no other of them loads: those run with the one that does, and by themselves only by chance. */
function withoutLoaded(testFiles: readonly string[], graph: ModuleGraph): readonly string[] {
  const loaded = new Set(testFiles.flatMap((path) => (languageOf(path) === 'python' ? [] : (graph.get(path)?.files ?? []))));
  const found = testFiles.filter((path) => !loaded.has(path));
  return found.length > 0 ? found : testFiles;
}

/** mocha, jest and vitest all offer `describe` and `it`; the manifest tells them apart, and otherwise jest's `expect` does. */
function runnerOfGlobals(options: {
  manifest: NpmManifest | undefined;
  texts: ReadonlyMap<string, string>;
  globals: readonly string[];
}): TestRunner {
  const { manifest, texts, globals } = options;
  const scripts = Object.entries(manifest?.scripts ?? {}).filter(([name]) => /test|unit/i.test(name));
  const said = [scripts.map(([, command]) => command).join(' '), Object.keys(manifest?.devDependencies ?? {}).join(' ')];
  for (const text of said) for (const name of ['vitest', 'jest', 'mocha'] as const) if (new RegExp(`\\b${name}\\b`).test(text)) return name;
  const usesExpect = globals.some((path) => {
    const text = texts.get(path) ?? '';
    return /\bexpect\s*\(/.test(text) && !/\bexpect\s*=|\{[^}]*\bexpect\b[^}]*\}\s*(=|from)|import\s+expect/.test(text);
  });
  return usesExpect ? 'jest' : 'mocha';
}
