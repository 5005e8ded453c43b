import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxLimits, TestRunner } from '@tadpole/contracts';
import { createDependencyStore, createNamespaceProvider, createTestExecutor, openSnapshot } from '../src/index.js';

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

export const versions = { tape: '5.9.0', mocha: '11.8.0' } as const;

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
        dependencies: runner === 'node-test' ? [] : [{ name: runner, version: versions[runner] }],
        into: join(folder, runner),
        executor,
        runs: 2,
        ...overrides,
      });
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
