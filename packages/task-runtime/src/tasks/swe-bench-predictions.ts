import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { readJsonLines } from './read-json-lines.js';

/** One line of a SWE-bench predictions file (formats.md section 3.3). Fields that are not named here are kept. */
export const sweBenchPredictionSchema = z.looseObject({
  instance_id: z.string().min(1),
  model_name_or_path: z.string(),
  /** A git patch; empty where the model changed nothing, which some writers spell `null`. */
  model_patch: z
    .string()
    .nullable()
    .transform((patch) => patch ?? ''),
});
/** See {@link sweBenchPredictionSchema}. */
export type SweBenchPrediction = z.infer<typeof sweBenchPredictionSchema>;

/**
 * Writes predictions as JSON lines for SWE-bench's own evaluation. Atomic: an older file is replaced as a whole.
 *
 * @throws TadpoleError `invalid-input` for two predictions of one instance, of which the evaluation would drop one;
 * `storage` when the file cannot be written.
 */
export async function writeSweBenchPredictions(options: { file: string; predictions: readonly SweBenchPrediction[] }): Promise<void> {
  const { file, predictions } = options;
  const seen = new Set<string>();
  for (const { instance_id: id } of predictions) {
    if (seen.has(id))
      throw new TadpoleError({ code: 'invalid-input', message: `expected one prediction of an instance, got two of ${id}` });
    seen.add(id);
  }
  let scratch: string | undefined;
  try {
    scratch = await mkdtemp(`${file}.draft-`);
    const draft = join(scratch, 'predictions');
    await writeFile(draft, lines(predictions));
    await rename(draft, file);
  } catch (cause) {
    throw new TadpoleError({ code: 'storage', message: `expected to write ${file}, got: ${(cause as Error).message}`, cause });
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}

function* lines(predictions: readonly SweBenchPrediction[]): Generator<string> {
  for (const prediction of predictions) yield `${JSON.stringify(prediction)}\n`;
}

/** Reads predictions back. @throws TadpoleError `invalid-input` with file and line. */
export async function readSweBenchPredictions(file: string): Promise<readonly SweBenchPrediction[]> {
  return readJsonLines({ file, schema: sweBenchPredictionSchema, record: 'a prediction', idOf: (prediction) => prediction.instance_id });
}
