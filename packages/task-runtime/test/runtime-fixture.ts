import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxLimits, Task, TestRunner, TestsVerifier } from '@tadpole/contracts';
import {
  createDependencyStore,
  createNamespaceProvider,
  createTestExecutor,
  openSnapshot,
  openTaskSandbox,
  writeTask,
} from '../src/index.js';

export const limits: SandboxLimits = {
  processes: 64,
  memoryBytes: 536_870_912,
  cpuSeconds: 30,
  timeoutMs: 30_000,
  fileBytes: 8_388_608,
  writtenBytes: 134_217_728,
  writtenFiles: 20_000,
  outputBytes: 65_536,
};

export const versions = { tape: '5.9.0', mocha: '11.8.0', vitest: '4.1.12', jest: '30.5.2' } as const;

type Files = Readonly<Record<string, string>>;

/** The packages of a runner's tests. */
function dependenciesOf(runner: TestRunner) {
  return runner === 'node-test' || runner === 'pytest' ? [] : [{ name: runner, version: versions[runner] }];
}

/** A real provider, store and executor over a temporary folder. */
export function createRuntime() {
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-runtime-'));
  chmodSync(folder, 0o755);
  const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
  const dependencyStore = createDependencyStore({
    nodeModules: fileURLToPath(new URL('../../../node_modules', import.meta.url)),
    into: join(folder, 'dependencies'),
  });
  const executor = createTestExecutor({ provider, dependencyStore, limits });
  return {
    folder,
    provider,
    dependencyStore,
    executor,
    open(runner: TestRunner, overrides: Partial<Parameters<typeof openSnapshot>[0]> = {}) {
      return openSnapshot({
        packageDirectory: fixture(runner),
        runner,
        sourceFiles: ['lib/clamp.js', 'lib/words.js'],
        testFiles: ['test/clamp.js', 'test/words.js'],
        hiddenPaths: ['test'],
        dropPaths: ['dist'],
        dependencies: dependenciesOf(runner),
        into: join(folder, runner),
        executor,
        runs: 2,
        ...overrides,
      });
    },
    /** A task from a runner's fixture: `lib/clamp` raises nothing, and `bug` may break more of it. */
    async makeTask(options: {
      runner: TestRunner;
      id: string;
      verifier?: Partial<TestsVerifier>;
      bug?: readonly [string, string];
      /** Further files of the workspace. */
      files?: Files;
      /** Files in the place of the fixture's tests. */
      hiddenFiles?: Files;
    }): Promise<Task> {
      const { runner, id, bug = ['return low', 'return high'] } = options;
      const python = runner === 'pytest';
      const hidden = python ? 'tests' : 'test';
      const workspace = join(folder, 'workspaces', id);
      cpSync(fixture(runner), workspace, { recursive: true });
      rmSync(join(workspace, hidden), { recursive: true });
      const file = python ? 'lib/clamp.py' : 'lib/clamp.js';
      const source = readFileSync(join(workspace, file), 'utf8');
      writeFileSync(join(workspace, file), source.replace(...bug));
      const tests = join(folder, 'hidden', id);
      cpSync(join(fixture(runner), hidden), join(tests, hidden), { recursive: true });
      for (const [path, text] of Object.entries(options.files ?? {})) writeFileSync(join(workspace, path), text);
      for (const [path, text] of Object.entries(options.hiddenFiles ?? {})) writeFileSync(join(tests, path), text);
      const words = runner === 'tape' ? '' : 'words > ';
      const clamp = runner === 'mocha' ? 'clamp > ' : '';
      return writeTask({
        data: {
          ...{ id, instruction: 'clamp returns the wrong bound.\n', environment: { dependencies: dependenciesOf(runner) }, limits },
          verifier: {
            ...{ kind: 'tests', runner, protectedPaths: [], timeoutMs: 20_000 },
            testFiles: python ? ['tests/test_clamp.py', 'tests/test_words.py'] : ['test/clamp.js', 'test/words.js'],
            failToPass: [
              python ? 'tests/test_clamp.py::TestBounds::test_raises_a_low_value' : `test/clamp.js::${clamp}bounds > raises a low value`,
            ],
            passToPass: [python ? 'tests/test_words.py::test_splits_at_blanks' : `test/words.js::${words}splits at blanks`],
            ...options.verifier,
          },
          lineage: {
            ...{ kind: 'generated', generator: 'g', operator: 'o', source: `tadpole-fixture-${runner}@1.0.0`, licence: 'MIT' },
            ...{ snapshotHash: 'h', file, line: 4, statementRung: 'symptom' },
          },
        },
        workspace,
        hiddenFiles: { directory: tests, paths: [hidden] },
        into: join(folder, 'tasks'),
      });
    },
    /** The patch that some commands in the agent's sandbox make. */
    async patchOf(task: Task, command: string): Promise<string> {
      const sandbox = await openTaskSandbox({ task, provider, dependencyStore });
      try {
        const result = await sandbox.run({ command });
        if (result.exitCode !== 0) throw new Error(result.stderr);
        return await sandbox.diff();
      } finally {
        await sandbox.dispose();
      }
    },
    async close() {
      await provider.disposeAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function fixture(runner: TestRunner): string {
  return fileURLToPath(new URL(`./fixtures/${runner}-package`, import.meta.url));
}
