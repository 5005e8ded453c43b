import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inspectRepository } from '@tadpole/task-runtime';

/** Public packages that ship their own tests, on npm and in Debian's archive. */
const npmSeeds = [
  ...['find-my-way@9.10.2', 'avvio@9.3.1', 'qs@6.17.1', 'minimist@1.2.8', 'json-stable-stringify@1.3.0', 'fastq@1.20.3'],
  ...['jsonpath@1.3.0', 'fraction.js@5.3.4', 'zod@3.25.76', 'secure-json-parse@2.7.0', 'dijkstrajs@1.0.3'],
];
const debianSeeds = ['python3-toolz', 'python3-bs4', 'python3-jsonschema', 'python3-cerberus', 'python3-multipledispatch'];

const run = promisify(execFile);

/** A seed repository's folder. */
interface Fetched {
  readonly name: string;
  readonly directory: string;
}

/**
 * Fetches the seed repositories whose names hold one of the given parts into folders of their own below `into`, and installs what
 * their tests import beside them.
 */
export async function fetchSeedRepositories(options: {
  /** Parts of names. @default all seeds */
  names?: readonly string[];
  into: string;
}): Promise<{ repositories: readonly Fetched[]; nodeModules: string; pythonPackages: string }> {
  const { names = [], into } = options;
  const wanted = (name: string) => names.length === 0 || names.some((part) => name.includes(part));
  const pythonPackages = join(into, 'python-packages');
  const repositories = [
    ...(await fetchFromNpm(npmSeeds.filter(wanted), join(into, 'npm'))),
    ...(await fetchFromDebian(debianSeeds.filter(wanted), { into: join(into, 'debian'), pythonPackages })),
  ];
  return { repositories, nodeModules: await installMissing(repositories, join(into, 'shared')), pythonPackages };
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
