import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Snapshot, TadpoleError, type TadpoleEvent } from '@tadpole/contracts';
import { openSnapshot } from '@tadpole/task-runtime';
import type { Repository } from '../run/configuration.js';
import type { ClimbContext } from './climb-context.js';

/** A repository's snapshot beside its configuration. */
export interface RepositorySnapshot {
  readonly repository: Repository;
  readonly snapshot: Snapshot;
}

/** Untouched runs of each suite: a test that does not pass in all of them is set aside. */
export const baselineRuns = 3;

/**
 * Copies each repository without its built copies and runs its untouched suite; refuses one without tests or
 * with a failing suite.
 *
 * @throws TadpoleError `invalid-input` with the suite's output.
 */
export async function* prepareSnapshots(context: ClimbContext): AsyncGenerator<TadpoleEvent, readonly RepositorySnapshot[]> {
  const prepared: RepositorySnapshot[] = [];
  for (const repository of context.configuration.repositories) {
    const { package: name, runner, sourceFiles, testFiles, hiddenPaths, dropPaths, dependencies } = repository;
    const { setAside, ...snapshot } = await openSnapshot({
      packageDirectory: join(context.options.nodeModules, name),
      runner,
      sourceFiles,
      testFiles,
      hiddenPaths,
      dropPaths,
      dependencies: dependencies.map((dependency) => ({
        name: dependency,
        version: installedVersion({ nodeModules: context.options.nodeModules, name: dependency }),
      })),
      into: join(context.store.folder('snapshots'), name.replace('/', '__')),
      executor: context.executor,
      runs: baselineRuns,
      signal: context.options.signal,
    });
    prepared.push({ repository, snapshot });
    yield context.recordOnce({
      type: 'snapshot-ready',
      source: snapshot.source,
      hash: snapshot.hash,
      tests: snapshot.baseline.length,
      flaky: setAside.length,
      split: splitOfRepository(repository),
    });
  }
  return prepared;
}

function splitOfRepository(repository: Repository): 'train' | 'held-out' | 'mixed' {
  const heldOut = new Set(repository.heldOutFiles);
  const held = repository.sourceFiles.filter((file) => heldOut.has(file)).length;
  if (held === 0) return 'train';
  return held === repository.sourceFiles.length ? 'held-out' : 'mixed';
}

function installedVersion(options: { nodeModules: string; name: string }): string {
  const path = join(options.nodeModules, options.name, 'package.json');
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  } catch (cause) {
    throw new TadpoleError({
      code: 'missing-dependency',
      message: `Expected ${options.name} in ${options.nodeModules}, got: ${(cause as Error).message}. Run \`npm ci\`.`,
      cause,
    });
  }
}
