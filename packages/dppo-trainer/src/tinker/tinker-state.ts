import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

const stateSchema = z.strictObject({ version: z.literal(1), path: z.string(), baseModel: z.string() });
/** Where a server keeps a state. */
export type TinkerState = z.infer<typeof stateSchema>;

const fileName = 'tinker.json';

/** Writes where a state is kept, whole or not at all. @throws TadpoleError `storage` */
export async function writeTinkerState({ directory, state }: { directory: string; state: TinkerState }): Promise<void> {
  const draft = join(directory, `.${fileName}-${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(draft, `${JSON.stringify(state)}\n`);
    await rename(draft, join(directory, fileName));
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new TadpoleError({ code: 'storage', message: `Cannot write ${join(directory, fileName)}: ${(cause as Error).message}`, cause });
  }
}

/** Reads it again. @throws TadpoleError `storage`; `invalid-input` for another form or another base model */
export async function readTinkerState({ directory, baseModel }: { directory: string; baseModel: string }): Promise<TinkerState> {
  const file = join(directory, fileName);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new TadpoleError({
      code: 'storage',
      message: `Cannot read ${file}: ${(cause as Error).message}; expected what saveState wrote.`,
      cause,
    });
  }
  const parsed = stateSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new TadpoleError({ code: 'invalid-input', message: `${file}: expected what saveState wrote: ${z.prettifyError(parsed.error)}` });
  if (parsed.data.baseModel === baseModel) return parsed.data;
  const message = `${file}: expected a state of ${baseModel}, got one of ${parsed.data.baseModel}.`;
  throw new TadpoleError({ code: 'invalid-input', message });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
