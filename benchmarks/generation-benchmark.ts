import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Snapshot } from '@tadpole/contracts';
import { createMutationGenerator, languageOf, mutationOperators, seededRandom } from '@tadpole/taskpilot';

const candidatesPerRepository = 2_000;

/** Where a repository comes from, and which of its folders hold what may be mutated. */
const repositories = [
  { name: 'qs', fetch: npmPackage('qs@6.17.1'), sources: ['lib'] },
  { name: 'find-my-way', fetch: npmPackage('find-my-way@9.10.2'), sources: ['index.js', 'lib'] },
  { name: 'zod', fetch: npmPackage('zod@3.25.76'), sources: ['src/v3'] },
  { name: 'toolz', fetch: debianPackage('python3-toolz', 'usr/lib/python3/dist-packages'), sources: ['toolz'] },
] as const;

/**
 * How fast the procedural generator proposes on real repositories: candidates for each second of processor time,
 * parsing of the sources and of every changed file included; and how many changed files did not parse.
 */
export async function generationBenchmark(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-generation-'));
  try {
    const rows = [];
    for (const { name, fetch, sources } of repositories) {
      const directory = fetch(join(folder, name));
      const sourceFiles = sources.flatMap((source) => sourcesBelow(directory, source));
      rows.push({ name, ...(await measure({ directory, sourceFiles })) });
    }
    console.log('repository    files  candidates  candidates/s  not parsed');
    for (const { name, files, candidates, cpuSeconds, unparsed } of rows) {
      const share = `${((100 * unparsed) / (candidates + unparsed)).toFixed(2)} %`;
      const rate = (candidates / cpuSeconds).toFixed(0);
      console.log(
        `${name.padEnd(12)}${String(files).padStart(7)}${String(candidates).padStart(12)}${rate.padStart(14)}${share.padStart(12)}`,
      );
    }
    console.log(`\n${'operator'.padEnd(22)}${rows.map(({ name }) => name.padStart(13)).join('')}`);
    for (const { name } of mutationOperators) {
      console.log(`${name.padEnd(22)}${rows.map(({ operators }) => String(operators.get(name) ?? 0).padStart(13)).join('')}`);
    }
    const rates = rows.map(({ name, candidates, cpuSeconds }) => [name, Math.round(candidates / cpuSeconds)] as const);
    const unparsed = rows.reduce((sum, row) => sum + row.unparsed, 0) / rows.reduce((sum, row) => sum + row.unparsed + row.candidates, 0);
    console.log(
      JSON.stringify({
        candidatesPerSecond: Math.min(...rates.map(([, rate]) => rate)),
        byRepository: Object.fromEntries(rates),
        unparsedShare: Math.round(unparsed * 10_000) / 10_000,
        operators: mutationOperators.length,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(repository: { directory: string; sourceFiles: string[] }) {
  const operators = new Map<string, number>();
  let asked = 0;
  let candidates = 0;
  const accepts = () => {
    asked += 1;
    return true;
  };
  const started = process.cpuUsage();
  const snapshot = repository as unknown as Snapshot;
  for await (const { lineage } of createMutationGenerator({ accepts }).propose({ snapshot, random: seededRandom(7) })) {
    operators.set(lineage.operator, (operators.get(lineage.operator) ?? 0) + 1);
    candidates += 1;
    if (candidates === candidatesPerRepository) break;
  }
  const { user, system } = process.cpuUsage(started);
  const files = repository.sourceFiles.length;
  return { files, candidates, unparsed: asked - candidates, cpuSeconds: (user + system) / 1e6, operators };
}

/** Source files at or below a path, tests apart, relative to the directory. */
function sourcesBelow(directory: string, source: string): string[] {
  const path = join(directory, source);
  const found = /\.[a-z]+$/.test(source)
    ? [source]
    : readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
  return found
    .map((name) => (name.startsWith(directory) ? relative(directory, name) : name))
    .filter((name) => languageOf(name) !== null && !/(^|\/)(tests?|__tests__|benchmarks?)\/|\.test\./.test(name))
    .sort();
}

function npmPackage(specifier: string) {
  return (folder: string): string => {
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, specifier], { stdio: ['ignore', 'ignore', 'inherit'] });
    unpack('tar', ['-xzf', onlyFile(folder), '-C', folder]);
    return join(folder, 'package');
  };
}

function debianPackage(name: string, inside: string) {
  return (folder: string): string => {
    mkdirSync(folder, { recursive: true });
    execFileSync('apt-get', ['download', name], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    unpack('dpkg-deb', ['-x', onlyFile(folder), join(folder, 'root')]);
    return join(folder, 'root', inside);
  };
}

function unpack(command: string, options: string[]): void {
  execFileSync(command, options, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function onlyFile(folder: string): string {
  const [name] = readdirSync(folder);
  const path = join(folder, name ?? '');
  if (name === undefined || !existsSync(path)) throw new Error(`expected one downloaded file in ${folder}`);
  return path;
}
