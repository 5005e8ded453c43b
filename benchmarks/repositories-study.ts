import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { isTadpoleError, type SandboxLimits, type TestExecutor } from '@tadpole/contracts';
import {
  createDependencyStore,
  createNamespaceProvider,
  createTestExecutor,
  inspectRepository,
  openRepository,
} from '@tadpole/task-runtime';

/** Public packages that ship their own tests, on npm and in Debian's archive. */
const npmSeeds = [
  ...['find-my-way@9.10.2', 'avvio@9.3.1', 'qs@6.17.1', 'minimist@1.2.8', 'json-stable-stringify@1.3.0', 'fastq@1.20.3'],
  ...['jsonpath@1.3.0', 'fraction.js@5.3.4', 'zod@3.25.76', 'secure-json-parse@2.7.0', 'dijkstrajs@1.0.3'],
];
const debianSeeds = ['python3-toolz', 'python3-bs4', 'python3-jsonschema', 'python3-cerberus', 'python3-multipledispatch'];

const limits: SandboxLimits = {
  ...{ processes: 128, memoryBytes: 2_147_483_648, cpuSeconds: 600, timeoutMs: 600_000, fileBytes: 67_108_864 },
  ...{ writtenBytes: 268_435_456, writtenFiles: 20_000, outputBytes: 65_536 },
};

const run = promisify(execFile);

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
  const wanted = (name: string) => values.only === '' || values.only.split(',').some((part) => name.includes(part));
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-repositories-'));
  const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
  try {
    const pythonPackages = join(folder, 'python-packages');
    const repositories = [
      ...(await fetchFromNpm(npmSeeds.filter(wanted), join(folder, 'npm'))),
      ...(await fetchFromDebian(debianSeeds.filter(wanted), { into: join(folder, 'debian'), pythonPackages })),
    ];
    const nodeModules = await installMissing(repositories, join(folder, 'shared'));
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

interface Fetched {
  readonly name: string;
  readonly directory: string;
}

async function fetchFromNpm(names: readonly string[], into: string): Promise<readonly Fetched[]> {
  await mkdir(into, { recursive: true });
  const fetched: Fetched[] = [];
  for (const name of names) {
    const { stdout } = await run('npm', ['pack', '--silent', name], { cwd: into });
    const directory = join(into, name.replaceAll('/', '__'));
    await mkdir(directory);
    await run('tar', ['-xzf', stdout.trim(), '--strip-components=1', '-C', directory], { cwd: into });
    fetched.push({ name, directory });
  }
  return fetched;
}

/** Unpacks Debian packages each into a folder of its own, and those that they depend on into one. */
async function fetchFromDebian(names: readonly string[], options: { into: string; pythonPackages: string }): Promise<readonly Fetched[]> {
  const { into, pythonPackages } = options;
  await mkdir(into, { recursive: true });
  await mkdir(pythonPackages, { recursive: true });
  const needed = new Set<string>();
  const fetched: Fetched[] = [];
  for (const name of names) {
    const directory = join(into, name);
    for (const dependency of await unpack(name, directory)) needed.add(dependency);
    fetched.push({ name, directory });
  }
  for (const name of needed) {
    const directory = join(into, `dependency-${name}`);
    for (const dependency of await unpack(name, directory)) needed.add(dependency);
    const packages = join(directory, 'usr/lib/python3/dist-packages');
    if (existsSync(packages)) await run('cp', ['-R', `${packages}/.`, pythonPackages]);
  }
  return fetched;

  /** Returns the Python packages that it depends on. */
  async function unpack(name: string, directory: string): Promise<readonly string[]> {
    await mkdir(directory);
    await run('apt-get', ['download', name], { cwd: directory });
    const [file = ''] = await readdir(directory);
    const { stdout } = await run('dpkg-deb', ['-f', join(directory, file), 'Depends']);
    await run('dpkg-deb', ['-x', join(directory, file), directory]);
    await rm(join(directory, file));
    return [...stdout.matchAll(/(?:^|, )(python3-[\w.+-]+)/g)].flatMap(([, dependency]) => dependency ?? []);
  }
}

/** Installs the packages that the repositories' tests import; a test runner in this checkout's version. */
async function installMissing(repositories: readonly Fetched[], into: string): Promise<string> {
  const own = JSON.parse(await readFile(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const dependencies: Record<string, string> = {};
  for (const { directory } of repositories) {
    const missing = await inspectRepository({ directory }).then(
      (repository) => (repository.runner === 'pytest' ? [] : repository.missing),
      () => [],
    );
    for (const { name, range } of missing)
      dependencies[name] ??= (['tape', 'mocha', 'vitest', 'jest'].includes(name) ? own.devDependencies[name] : range) ?? '*';
  }
  await mkdir(join(into, 'node_modules'), { recursive: true });
  await writeFile(join(into, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: into });
  return join(into, 'node_modules');
}
