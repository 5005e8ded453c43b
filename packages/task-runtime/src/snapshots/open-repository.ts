import { join } from 'node:path';
import type { TestExecutor } from '@tadpole/contracts';
import { type InspectedRepository, type InspectOptions, inspectRepository } from './inspection/inspect-repository.js';
import { refuse } from './measure-baseline.js';
import { type OpenedSnapshot, openSnapshot } from './open-snapshot.js';

/**
 * From a bare folder to a snapshot in one call: inspects it, copies what belongs to it and runs its suite. The executor's
 * dependency store must have the same `nodeModules`.
 *
 * @throws TadpoleError as {@link inspectRepository} and {@link openSnapshot} do; the message says what stands in the way.
 */
export async function openRepository(
  options: InspectOptions & {
    /** Folder to make; replaced when present. */
    readonly into: string;
    readonly executor: TestExecutor;
    /** See {@link openSnapshot}. @default 3 */
    readonly runs?: number | undefined;
    /** See {@link openSnapshot}. @default 1 */
    readonly seed?: number | undefined;
    /** Wall time of one run of the suite. @default 60000 */
    readonly timeoutMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<{ readonly snapshot: OpenedSnapshot; readonly repository: InspectedRepository }> {
  const { into, executor, runs, seed, timeoutMs, signal, pythonPackages = '' } = options;
  const repository = await inspectRepository(options);
  const { directory, notes: _notes, missing: _missing, languages: _languages, pythonModules, ...described } = repository;
  if (repository.testFiles.length === 0) {
    const names = repository.missing
      .filter(({ optional }) => !optional)
      .map(({ name, range }) => (range === undefined ? name : `${name}@${range}`));
    throw refuse(`${repository.name}@${repository.version}`, `all its tests need what is not installed: ${names.join(' ')}`);
  }
  const beside = pythonModules.map((entry) => join(pythonPackages, entry));
  const snapshot = await openSnapshot({ ...described, packageDirectory: directory, beside, into, executor, runs, seed, timeoutMs, signal });
  return { snapshot, repository };
}
