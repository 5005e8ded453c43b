import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type SandboxLimits, TadpoleError, type TaskData, taskDataSchema } from '@tadpole/contracts';
import { type HarborManifest, keysNotCarried, malformed, sizeInBytes } from './harbor-manifest.js';
import { taskFolder } from './task-folder.js';

/** Bounds of a foreign task for which its folder names none, besides what Harbor leaves to the container. */
export const foreignTaskLimits: SandboxLimits = {
  processes: 512,
  memoryBytes: 2_147_483_648,
  cpuSeconds: 3600,
  timeoutMs: 600_000,
  fileBytes: 536_870_912,
  writtenBytes: 4_294_967_296,
  writtenFiles: 200_000,
  outputBytes: 65_536,
};

/** Harbor's own default of `[verifier] timeout_sec`. */
const verifierSeconds = 600;

/**
 * The data of a Harbor folder that another program wrote: graded by its `tests/test.sh`, in its image, its lineage
 * listing every key and file that has no place in a task.
 *
 * @throws TadpoleError `unsupported` for a multi-step task, a separate verifier, several containers or Windows;
 * `invalid-input` where the folder does not have the expected form.
 */
export function foreignTaskData(options: {
  directory: string;
  manifest: HarborManifest;
  instruction: string;
  limits: SandboxLimits;
}): TaskData {
  const { manifest, directory } = options;
  const { environment = {}, verifier = {} } = manifest;
  const folder = taskFolder(directory);
  if (!lstatSync(folder.testScript, { throwIfNoEntry: false })?.isFile())
    throw malformed(folder.testScript, 'the script that grades the task, found none');
  const bytes = (megabytes: number | undefined, old: string | number | undefined, key: string) =>
    megabytes !== undefined
      ? Math.ceil(megabytes * 1_048_576)
      : old !== undefined
        ? sizeInBytes({ size: old, key: `environment.${key}`, file: folder.manifest })
        : undefined;
  const memoryBytes = bytes(environment.memory_mb, environment.memory, 'memory');
  const writtenBytes = bytes(environment.storage_mb, environment.storage, 'storage');
  const instanceId = manifest.task?.name ?? basename(directory);
  const built = ['Dockerfile', 'docker-compose.yaml', 'docker-compose.yml'].filter((name) =>
    existsSync(join(directory, 'environment', name)),
  );
  const data = taskDataSchema.safeParse({
    id: taskId(instanceId),
    instruction: options.instruction,
    environment: {
      dependencies: [],
      workspacePath: environment.workdir ?? imageWorkdir(directory) ?? '/workspace',
      ...(environment.docker_image === undefined ? {} : { image: environment.docker_image }),
      ...(environment.env === undefined ? {} : { env: literal(environment.env) }),
    },
    limits: {
      ...options.limits,
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
      ...(writtenBytes === undefined ? {} : { writtenBytes }),
    },
    verifier: { kind: 'script', timeoutMs: Math.ceil((verifier.timeout_sec ?? verifierSeconds) * 1000), env: literal(verifier.env ?? {}) },
    lineage: {
      ...{ kind: 'imported', format: 'harbor', instanceId },
      ...(manifest.source === undefined ? {} : { origin: manifest.source }),
      notCarried: [
        ...keysNotCarried(manifest),
        ...built.map((name) => `environment/${name}`),
        ...references(environment.env, 'environment.env'),
        ...references(verifier.env, 'verifier.env'),
      ],
    },
  });
  if (!data.success) throw malformed(directory, `a Harbor task that can be a task here, got: ${data.error.message}`, data.error);
  return data.data;
}

/** The last absolute `WORKDIR` of the image that the folder builds: where its scripts believe the files to be. */
function imageWorkdir(directory: string): string | undefined {
  const dockerfile = join(directory, 'environment', 'Dockerfile');
  if (!lstatSync(dockerfile, { throwIfNoEntry: false })?.isFile()) return undefined;
  const folders = [...readFileSync(dockerfile, 'utf8').matchAll(/^\s*WORKDIR\s+"?(\/[^\s"$]*)"?\s*$/gim)].map((match) => match[1]);
  return folders.at(-1)?.replace(/(?<=.)\/+$/, '');
}

const isReference = (value: string) => value.includes('${');

/** Variables with their values; those that Harbor would take from its own environment have none here. */
function literal(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => !isReference(value)));
}

function references(env: Readonly<Record<string, string>> | undefined, key: string): readonly string[] {
  return Object.entries(env ?? {})
    .filter(([, value]) => isReference(value))
    .map(([name, value]) => `task.toml: ${key}.${name} = ${JSON.stringify(value)}`);
}

/** @throws TadpoleError `unsupported` for a Harbor task that no single agent, container and script make up. */
export function assertSingleStep(options: { directory: string; manifest: HarborManifest }): void {
  const { directory, manifest } = options;
  if ((manifest.steps?.length ?? 0) > 0 || existsSync(join(directory, 'steps')))
    throw unsupported(directory, 'it has several steps; split it into one task a step');
  if (manifest.verifier?.environment_mode === 'separate' || manifest.verifier?.environment !== undefined)
    throw unsupported(directory, 'its verifier runs in an environment of its own; only verifiers in the task’s environment are run');
  if (manifest.environment?.os === 'windows') throw unsupported(directory, 'it needs Windows');
}

/** A task id from a name of another system: lower case, everything else that an id cannot hold a hyphen. */
export function taskId(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 128);
}

function unsupported(directory: string, why: string): TadpoleError {
  return new TadpoleError({ code: 'unsupported', message: `expected a single-step Harbor task at ${directory}, but ${why}` });
}
