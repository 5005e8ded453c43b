import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { type Configuration, configurationHash, parseConfiguration } from './configuration.js';
import { openStoreFolder, type StoreFolder } from './store-folder.js';
import { takeLock } from './take-lock.js';
import { writeWhole, writing } from './write-whole.js';

/** A run's folder while one process owns it. Layout: DESIGN.md, "A run on disk". */
export interface RunStore extends StoreFolder {
  readonly runId: string;
  readonly configuration: Configuration;
  /** True when the folder held a journal before. */
  readonly resumed: boolean;
}

const runFileSchema = z.strictObject({
  runId: z.string(),
  createdAt: z.string(),
  configurationHash: z.string(),
  configuration: z.unknown(),
  versions: z.record(z.string(), z.string()),
});

/** The configuration in `run.json`. @throws TadpoleError `invalid-input` when the folder is not a run's. */
export function readRunFile(directory: string): {
  runId: string;
  createdAt: string;
  configurationHash: string;
  configuration: Configuration;
  versions: Record<string, string>;
} {
  const path = join(directory, 'run.json');
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `${directory} is not a run's folder: expected a readable run.json, got: ${(cause as Error).message}`,
      cause,
    });
  }
  const parsed = runFileSchema.safeParse(value);
  if (!parsed.success) {
    throw new TadpoleError({ code: 'invalid-input', message: `${path}: ${z.prettifyError(parsed.error)}`, cause: parsed.error });
  }
  return { ...parsed.data, configuration: parseConfiguration({ value: parsed.data.configuration, source: path }) };
}

/**
 * Makes a new run's folder and takes its lock.
 *
 * @throws TadpoleError `invalid-input` for a folder that holds anything else, `storage` when it holds a run or cannot be written.
 */
export function createRun(options: {
  directory: string;
  runId: string;
  configuration: Configuration;
  versions: Record<string, string>;
  now: () => Date;
}): RunStore {
  const { directory, runId, configuration, versions } = options;
  if (existsSync(join(directory, 'run.json'))) {
    throw new TadpoleError({
      code: 'storage',
      message: `${directory} already holds a run. Pass --resume to finish it, or another --out folder.`,
    });
  }
  const foreign = existsSync(directory) ? entriesOf(directory).filter((name) => name !== 'lock') : [];
  if (foreign.length > 0) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a new or an empty folder for the run, but ${directory} holds ${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ', …' : ''}. Choose another --out folder.`,
    });
  }
  writing(directory, () => mkdirSync(directory, { recursive: true }));
  const release = takeLock(directory);
  writeWhole({
    path: join(directory, 'run.json'),
    content: `${JSON.stringify({ runId, createdAt: options.now().toISOString(), configurationHash: configurationHash(configuration), configuration, versions }, null, 2)}\n`,
  });
  return store({ directory, runId, configuration, resumed: false, release });
}

/**
 * Opens a run's folder to finish it. The configuration is the one it began with.
 *
 * @throws TadpoleError `invalid-input` for a folder that holds no run or one whose configuration was changed, `storage` when another process has it.
 */
export function resumeRun(options: { directory: string }): RunStore {
  const { runId, configuration, configurationHash: expected } = readRunFile(options.directory);
  if (configurationHash(configuration) !== expected) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `${join(options.directory, 'run.json')}: the configuration in it is not the one that the run began with. Restore it, or begin a new run.`,
    });
  }
  const release = takeLock(options.directory);
  return store({ directory: options.directory, runId, configuration, resumed: true, release });
}

function store(options: {
  directory: string;
  runId: string;
  configuration: Configuration;
  resumed: boolean;
  release: () => void;
}): RunStore {
  const { directory, release, ...rest } = options;
  return { ...rest, ...openStoreFolder({ directory, release }) };
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a folder for the run at ${directory}, got: ${(cause as Error).message}`,
      cause,
    });
  }
}
