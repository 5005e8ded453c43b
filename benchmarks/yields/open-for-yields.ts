import { join } from 'node:path';
import type { SandboxLimits, Snapshot, TestExecutor } from '@tadpole/contracts';
import { createDependencyStore, createImpactMap, createTestExecutor, inspectRepository, openRepository } from '@tadpole/task-runtime';
import type { CpuMeter } from './cpu-meter.js';

/** The limits of `tadpole synth`. */
const limits: SandboxLimits = {
  ...{ processes: 128, memoryBytes: 2 ** 31, cpuSeconds: 120, timeoutMs: 120_000, fileBytes: 2 ** 26 },
  ...{ writtenBytes: 2 ** 28, writtenFiles: 20_000, outputBytes: 2 ** 16 },
};

/** The part of a repository that is opened, as the generation benchmark takes it; whole where nothing is said. */
const parts: Readonly<Record<string, string>> = { 'zod@3.25.76': 'src/v3/' };

/** Untouched runs of a suite in its own order; one more is in another. */
const ownRuns = 3;

/** Opens a repository as `tadpole synth` does, and measures which tests reach which lines and what one run of its suite takes. */
export async function openForYields(options: {
  name: string;
  directory: string;
  nodeModules: string;
  pythonPackages: string;
  meter: CpuMeter;
  into: string;
}) {
  const { name, directory, nodeModules, pythonPackages, meter } = options;
  const into = join(options.into, 'opened', name.replaceAll('/', '__'));
  const dependencyStore = createDependencyStore({ nodeModules, into: join(into, 'dependencies') });
  const executor = createTestExecutor({ provider: meter.provider, dependencyStore, limits });
  const overrides = await partOf({ directory, nodeModules, pythonPackages, part: parts[name] });
  const source = { directory, nodeModules, pythonPackages, overrides, into: join(into, 'snapshot') };
  const { snapshot } = await openRepository({ ...source, executor, runs: ownRuns, timeoutMs: 120_000 });
  const suite = await measureSuite({ snapshot, executor, meter });
  const map = await createImpactMap({ snapshot, provider: meter.provider, dependencyStore, limits, timeoutMs: 120_000 });
  return {
    ...{ snapshot, executor, limits, testFilesFor: map.testFilesFor, baselineRuns: ownRuns + 1 },
    suiteSeconds: suite.cpuSeconds,
    // An endless loop must not be waited for longer than tells it from a slow run.
    timeoutMs: Math.round(2_000 + 4 * suite.wallMs),
  };
}

async function partOf(options: { directory: string; nodeModules: string; pythonPackages: string; part: string | undefined }) {
  const { part, ...folders } = options;
  if (part === undefined) return {};
  const { sourceFiles, testFiles, hiddenPaths } = await inspectRepository(folders);
  const isInside = (file: string) => file.startsWith(part);
  return { sourceFiles: sourceFiles.filter(isInside), testFiles: testFiles.filter(isInside), hiddenPaths };
}

async function measureSuite(options: { snapshot: Snapshot; executor: TestExecutor; meter: CpuMeter }) {
  const { snapshot, executor, meter } = options;
  const before = meter.seconds();
  const { durationMs } = await executor.execute({ snapshot, edits: [], timeoutMs: 120_000 });
  return { cpuSeconds: meter.seconds() - before, wallMs: durationMs };
}
