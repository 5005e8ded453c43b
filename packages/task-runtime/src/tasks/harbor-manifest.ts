import { TadpoleError } from '@tadpole/contracts';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';

const size = z.union([z.string(), z.number()]);
const environmentMode = z.enum(['shared', 'separate']);

/** The keys of `task.toml` that are read; the others stay in the value and are reported by {@link keysNotCarried}. */
const harborManifestSchema = z.looseObject({
  schema_version: z.string().optional(),
  version: z.string().optional(),
  source: z.string().optional(),
  task: z.looseObject({ name: z.string().optional() }).optional(),
  metadata: z.looseObject({ tadpole: z.record(z.string(), z.unknown()).optional() }).optional(),
  verifier: z
    .looseObject({
      timeout_sec: z.number().positive().optional(),
      env: z.record(z.string(), z.string()).optional(),
      environment_mode: environmentMode.optional(),
      environment: z.unknown().optional(),
    })
    .optional(),
  environment: z
    .looseObject({
      docker_image: z.string().optional(),
      workdir: z.string().optional(),
      os: z.enum(['linux', 'windows']).optional(),
      memory_mb: z.number().positive().optional(),
      storage_mb: z.number().positive().optional(),
      memory: size.optional(),
      storage: size.optional(),
      env: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  steps: z.array(z.unknown()).optional(),
});

/** A parsed `task.toml` of any writer. */
export type HarborManifest = z.infer<typeof harborManifestSchema>;

/**
 * Parses `task.toml` of Harbor's schemas 1.0 to 1.4 (formats.md section 3.1), with the older spellings `version`,
 * `memory`, `storage` and `allow_internet`; a later 1.x is taken, as each is said to add only.
 *
 * @throws TadpoleError `invalid-input` that names the file, the line or key, and what was expected.
 */
export function parseHarborManifest(options: { text: string; file: string }): HarborManifest {
  const { file } = options;
  let value: unknown;
  try {
    value = parse(options.text.replace(/^\ufeff/, ''));
    // What is nested deeper than the stack could neither be checked nor reported.
    JSON.stringify(value);
  } catch (cause) {
    const line = cause instanceof TomlError ? `:${cause.line}` : '';
    throw malformed(`${file}${line}`, `TOML, got: ${(cause as Error).message}`, cause);
  }
  const parsed = harborManifestSchema.safeParse(value);
  if (!parsed.success) throw malformed(file, `the keys of a Harbor task, got:\n${z.prettifyError(parsed.error)}`, parsed.error);
  const version = parsed.data.schema_version ?? parsed.data.version ?? '1.0';
  if (!/^1\.\d+$/.test(version)) throw malformed(file, `a schema version 1.x, got ${JSON.stringify(version)}`);
  return parsed.data;
}

/** Keys that have a place in a task, and those whose value says what holds anyway. */
const carried = new Set([
  ...['schema_version', 'version', 'source', 'task.name', 'verifier.timeout_sec', 'verifier.env', 'verifier.environment_mode'],
  ...['environment.docker_image', 'environment.workdir', 'environment.os', 'environment.env'],
  ...['environment.memory_mb', 'environment.storage_mb', 'environment.memory', 'environment.storage'],
]);
const holdsAnyway = new Set(['network_mode="no-network"', 'allow_internet=false']);

/** What a foreign `task.toml` says and a task cannot express, one `key = value` each, unknown keys included. */
export function keysNotCarried(manifest: HarborManifest): readonly string[] {
  const lines: string[] = [];
  for (const [section, content] of Object.entries(manifest)) {
    const isSection = content !== null && typeof content === 'object' && !Array.isArray(content) && !(content instanceof Date);
    for (const [key, value] of isSection ? Object.entries(content) : [['', content]]) {
      const path = key === '' ? section : `${section}.${key}`;
      if (value === undefined || carried.has(path) || holdsAnyway.has(`${key}=${JSON.stringify(value)}`)) continue;
      lines.push(`task.toml: ${path} = ${JSON.stringify(value)}`);
    }
  }
  return lines.sort();
}

/** Bytes of a size as older manifests write it, such as `2G`. */
export function sizeInBytes(options: { size: string | number; key: string; file: string }): number {
  const found = /^(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?$/i.exec(String(options.size).trim());
  if (found === null) throw malformed(options.file, `a size such as "2G" at ${options.key}, got ${JSON.stringify(options.size)}`);
  const power = ['', 'K', 'M', 'G', 'T'].indexOf((found[2] ?? '').toUpperCase());
  return Math.ceil(Number(found[1]) * 1024 ** power);
}

/** @returns an `invalid-input` error that names the place. */
export function malformed(place: string, expected: string, cause?: unknown): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected at ${place} ${expected}`, cause });
}
