import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makeDraft, removeDrafts } from './checkpoint-drafts.js';
import { RefusedRequest } from './refused-request.js';

/** `weights` holds the optimizer too, `sampler_weights` the weights alone. */
export type CheckpointKind = 'weights' | 'sampler_weights';

/** A checkpoint by its parts, as in `tinker://<model>/<kind>/<name>`. */
export interface CheckpointName {
  readonly modelId: string;
  readonly kind: CheckpointKind;
  readonly name: string;
}

const firstFile = 'weights.safetensors';
/** `file` and `rank` are missing in checkpoints of older versions. */
const factsSchema = z.strictObject({
  baseModel: z.string(),
  time: z.string(),
  file: z
    .string()
    .regex(/^weights[0-9a-z-]*\.safetensors$/)
    .default(firstFile),
  rank: z.int().min(0).default(0),
});
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
  /**
   * Has `write` make the file in a draft, which takes its place once it is complete; what is overwritten is there until then.
   * @throws RefusedRequest 409 for a name that is taken
   */
  save(
    options: CheckpointName & { baseModel: string; time: string; rank: number; overwrite: boolean; write: (file: string) => Promise<void> },
  ): Promise<string>;
  /** @throws RefusedRequest 404 */
  find(name: CheckpointName): Promise<{ readonly file: string; readonly baseModel: string; readonly rank: number }>;
  list(modelId: string): Promise<readonly (CheckpointName & { readonly time: string })[]>;
  remove(name: CheckpointName): Promise<void>;
  /** Removes what servers that were killed left half written. */
  tidy(): Promise<void>;
}

/** A store that makes its folder when it first writes. */
export function createCheckpointStore({ directory }: { directory: string }): CheckpointStore {
  const folderOf = ({ modelId, kind, name }: CheckpointName) => join(directory, modelId, kind, name);
  const factsOf = async (name: CheckpointName) => {
    const text = await readFile(join(folderOf(name), 'checkpoint.json'), 'utf8').catch(() => null);
    return text === null ? undefined : factsSchema.parse(JSON.parse(text));
  };
  return {
    async save({ baseModel, time, rank, overwrite, write, ...name }) {
      const folder = folderOf(name);
      const refuseTaken = async () => {
        if (!overwrite && (await exists(folder)))
          throw new RefusedRequest(409, `Checkpoint ${pathOf(name)} already exists; take another name.`);
      };
      await refuseTaken();
      const draft = await makeDraft(directory);
      try {
        await write(join(draft, firstFile));
        await writeFile(join(draft, 'checkpoint.json'), JSON.stringify({ baseModel, time, rank, file: firstFile }));
        await refuseTaken();
        await mkdir(dirname(folder), { recursive: true });
        if (await exists(folder)) await replace({ draft, folder, facts: { baseModel, time, rank } });
        else await rename(draft, folder);
      } finally {
        await rm(draft, { recursive: true, force: true });
      }
      return pathOf(name);
    },
    async find(name) {
      const facts = await factsOf(name);
      if (facts === undefined) throw new RefusedRequest(404, `Expected a checkpoint of this server, got ${pathOf(name)}.`);
      return { file: join(folderOf(name), facts.file), baseModel: facts.baseModel, rank: facts.rank };
    },
    async list(modelId) {
      const found: (CheckpointName & { time: string })[] = [];
      for (const kind of ['weights', 'sampler_weights'] as const) {
        const names = await readdir(join(directory, modelId, kind)).catch(() => []);
        for (const name of names.sort()) {
          // One that was damaged must not hide the others; asked for by its name it is an error.
          const facts = await factsOf({ modelId, kind, name }).catch(() => undefined);
          if (facts !== undefined) found.push({ modelId, kind, name, time: facts.time });
        }
      }
      return found;
    },
    async remove(name) {
      await this.find(name);
      await rm(folderOf(name), { recursive: true });
    },
    tidy: () => removeDrafts(directory),
  };
}

/** The facts name the file, so that renaming them over the old ones changes the checkpoint in one step. */
async function replace(options: {
  draft: string;
  folder: string;
  facts: { baseModel: string; time: string; rank: number };
}): Promise<void> {
  const { draft, folder, facts } = options;
  const file = `weights-${draft.slice(-6).toLowerCase()}.safetensors`;
  await writeFile(join(draft, 'checkpoint.json'), JSON.stringify({ ...facts, file }));
  await rename(join(draft, firstFile), join(folder, file));
  await rename(join(draft, 'checkpoint.json'), join(folder, 'checkpoint.json'));
  for (const other of await readdir(folder))
    if (other.startsWith('weights') && other !== file) await rm(join(folder, other), { force: true });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
