import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { RefusedRequest } from './refused-request.js';

/** `weights` holds the optimizer too, `sampler_weights` the weights alone. */
export type CheckpointKind = 'weights' | 'sampler_weights';

/** A checkpoint by its parts, as in `tinker://<model>/<kind>/<name>`. */
export interface CheckpointName {
  readonly modelId: string;
  readonly kind: CheckpointKind;
  readonly name: string;
}

const factsSchema = z.strictObject({ baseModel: z.string(), time: z.string() });
const pathPattern = /^tinker:\/\/([a-zA-Z0-9_:-]{1,255})\/(?:(weights|sampler_weights)\/)?([a-zA-Z0-9_-]{1,255})$/;

/** The path by which clients know a checkpoint. */
export function pathOf({ modelId, kind, name }: CheckpointName): string {
  return `tinker://${modelId}/${kind}/${name}`;
}

/** Reads a path; without a kind it is a sampler's, as some servers write it. @throws RefusedRequest 400 */
export function parsePath(path: string): CheckpointName {
  const [, modelId, kind = 'sampler_weights', name] = pathPattern.exec(path) ?? [];
  if (modelId === undefined || name === undefined) {
    throw new RefusedRequest(400, `Expected a path as tinker://<model>/weights/<name>, got ${JSON.stringify(path.slice(0, 100))}.`);
  }
  return { modelId, kind: kind as CheckpointKind, name };
}

/** Checkpoints below one folder, each whole or not there. */
export interface CheckpointStore {
  /** Has `write` make the file in a new folder, which takes its place once it is complete. @throws RefusedRequest 409 for a name that is taken */
  save(
    options: CheckpointName & { baseModel: string; time: string; overwrite: boolean; write: (file: string) => Promise<void> },
  ): Promise<string>;
  /** @throws RefusedRequest 404 */
  find(name: CheckpointName): Promise<{ readonly file: string; readonly baseModel: string }>;
  list(modelId: string): Promise<readonly (CheckpointName & { readonly time: string })[]>;
  remove(name: CheckpointName): Promise<void>;
}

/** A store that makes its folder when it first writes. */
export function createCheckpointStore({ directory }: { directory: string }): CheckpointStore {
  const folderOf = ({ modelId, kind, name }: CheckpointName) => join(directory, modelId, kind, name);
  const exists = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );
  return {
    async save({ baseModel, time, overwrite, write, ...name }) {
      const folder = folderOf(name);
      if (!overwrite && (await exists(folder)))
        throw new RefusedRequest(409, `Checkpoint ${pathOf(name)} already exists; take another name.`);
      await mkdir(join(folder, '..'), { recursive: true });
      const draft = await mkdtemp(join(directory, '.draft-'));
      try {
        await write(join(draft, 'weights.safetensors'));
        await writeFile(join(draft, 'checkpoint.json'), JSON.stringify({ baseModel, time }));
        if (overwrite) await rm(folder, { recursive: true, force: true });
        await rename(draft, folder);
      } finally {
        await rm(draft, { recursive: true, force: true });
      }
      return pathOf(name);
    },
    async find(name) {
      const folder = folderOf(name);
      const facts = await readFile(join(folder, 'checkpoint.json'), 'utf8').catch(() => null);
      if (facts === null) throw new RefusedRequest(404, `Expected a checkpoint of this server, got ${pathOf(name)}.`);
      return { file: join(folder, 'weights.safetensors'), baseModel: factsSchema.parse(JSON.parse(facts)).baseModel };
    },
    async list(modelId) {
      const found: (CheckpointName & { time: string })[] = [];
      for (const kind of ['weights', 'sampler_weights'] as const) {
        const names = await readdir(join(directory, modelId, kind)).catch(() => []);
        for (const name of names.sort()) {
          const facts = await readFile(join(directory, modelId, kind, name, 'checkpoint.json'), 'utf8').catch(() => null);
          if (facts !== null) found.push({ modelId, kind, name, time: factsSchema.parse(JSON.parse(facts)).time });
        }
      }
      return found;
    },
    async remove(name) {
      const { file } = await this.find(name);
      await rm(join(file, '..'), { recursive: true });
    },
  };
}
