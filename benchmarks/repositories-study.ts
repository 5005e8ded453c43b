import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isTadpoleError, type SandboxLimits, type TestExecutor } from '@tadpole/contracts';
import { createDependencyStore, createNamespaceProvider, createTestExecutor, openRepository } from '@tadpole/task-runtime';
import { fetchSeedRepositories } from './seed-repositories.js';

const limits: SandboxLimits = {
  ...{ processes: 128, memoryBytes: 2_147_483_648, cpuSeconds: 600, timeoutMs: 600_000, fileBytes: 67_108_864 },
  ...{ writtenBytes: 268_435_456, writtenFiles: 20_000, outputBytes: 65_536 },
};

type Row = readonly string[];

/**
 * Fetches the seed repositories into a folder, installs what their tests import into another, opens each with one call
 * and no setting of its own, and prints what came of it.
 */
export async function repositoriesStudy(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string', default: '' }, timeout: { type: 'string', default: '300000' } },
  });
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-repositories-'));
  const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
  try {
    const names = values.only === '' ? [] : values.only.split(',');
    const { repositories, nodeModules, pythonPackages } = await fetchSeedRepositories({ names, into: folder });
    const dependencyStore = createDependencyStore({ nodeModules, into: join(folder, 'dependencies') });
    const executor = createTestExecutor({ provider, dependencyStore, limits });
    const rows: Row[] = [];
    let opened = 0;
    for (const { name, directory } of repositories) {
      process.stderr.write(`${name}\n`);
      const timed = timedExecutor(executor);
      try {
        const result = await openRepository({
          ...{ directory, nodeModules, pythonPackages, executor: timed.executor, timeoutMs: Number(values.timeout) },
          into: join(folder, 'snapshots', name.replaceAll('/', '__')),
        });
        rows.push(describe(result, timed.suiteSeconds()));
        opened += 1;
      } catch (error) {
        if (!isTadpoleError(error)) throw error;
        rows.push([name, error.message.split('\n')[0]?.slice(0, 160) ?? '']);
      }
    }
    const header = ['repository', 'licence', 'language', 'runner', 'source files', 'test files', 'stable tests'];
    const table = [[...header, 'always failing', 'flaky', 'by order or file', 'skipped', 'suite, wall s'], Array(12).fill('---'), ...rows];
    process.stdout.write(
      `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n${JSON.stringify({ opened, tried: repositories.length })}\n`,
    );
  } finally {
    await provider.disposeAll();
    await rm(folder, { recursive: true, force: true });
  }
}

function describe({ snapshot, repository }: Awaited<ReturnType<typeof openRepository>>, seconds: number): Row {
  const aside = (...reasons: string[]) => String(snapshot.setAside.filter(({ reason }) => reasons.includes(reason)).length);
  const counts = [snapshot.sourceFiles.length, snapshot.testFiles.length, snapshot.baseline.length].map(String);
  const lost = [aside('always-fails'), aside('flaky'), aside('order', 'file'), aside('skipped')];
  return [snapshot.source, snapshot.licence, repository.languages.join(', '), snapshot.runner, ...counts, ...lost, seconds.toFixed(1)];
}

/** An executor that notes how long runs of the most files take. */
function timedExecutor(executor: TestExecutor): { executor: TestExecutor; suiteSeconds(): number } {
  const runs: { files: number; durationMs: number }[] = [];
  return {
    executor: {
      async execute(options) {
        const result = await executor.execute(options);
        runs.push({ files: options.testFiles?.length ?? 0, durationMs: result.durationMs });
        return result;
      },
    },
    suiteSeconds() {
      const most = Math.max(...runs.map(({ files }) => files));
      const whole = runs.filter(({ files }) => files === most).map(({ durationMs }) => durationMs);
      return Math.min(...whole) / 1000;
    },
  };
}
