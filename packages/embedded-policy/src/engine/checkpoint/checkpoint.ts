import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { assertModelConfig, type ModelConfig } from '../model/model-config.js';
import { slotView, weightLayout } from '../model/weight-layout.js';
import type { AdamwState } from '../training/adamw.js';
import { decodeSafetensors, encodeSafetensors, type NamedTensor, type SafetensorsFile } from './safetensors.js';
import { writeFileAtomically } from './write-file-atomically.js';

/** Weights, and the optimizer's state where the file holds it. */
export interface Checkpoint {
  readonly config: ModelConfig;
  /** Flat, in the order of the layout. */
  readonly weights: Float32Array;
  readonly optimizer?: AdamwState;
}

/** Options of `writeCheckpoint`. */
export interface WriteCheckpointOptions {
  /** Precision on disk; float16 halves the file and rounds the weights. @default 'float32' */
  readonly precision?: 'float32' | 'float16';
}

const FORMAT = 'tadpole-policy-1';
const FIRST_MOMENT = 'optimizer.first.';
const SECOND_MOMENT = 'optimizer.second.';
const stepSchema = z.coerce.number().pipe(z.int().nonnegative());
const configSchema = z.object({
  vocabularySize: z.int(),
  width: z.int(),
  layers: z.int(),
  heads: z.int(),
  feedForward: z.int(),
  contextTokens: z.int(),
});

/** Writes one safetensors file with the weights and, if given, the optimizer's moments; atomically. Throws `storage`. */
export async function writeCheckpoint(
  path: string,
  { config, weights, optimizer }: Checkpoint,
  options: WriteCheckpointOptions = {},
): Promise<void> {
  const tensors = named(config, weights, '');
  if (optimizer !== undefined)
    tensors.push(...named(config, optimizer.first, FIRST_MOMENT), ...named(config, optimizer.second, SECOND_MOMENT));
  const metadata = { format: FORMAT, config: JSON.stringify(config), ...(optimizer && { step: String(optimizer.step) }) };
  const content = encodeSafetensors(tensors, { metadata, ...options });
  await writeFileAtomically(path, content).catch((cause: unknown) => {
    throw new TadpoleError({ code: 'storage', message: `cannot write checkpoint ${path}: ${messageOf(cause)}`, cause });
  });
}

/** Reads a file of `writeCheckpoint`. Throws `storage` when it cannot be read, `invalid-input` when it is malformed. */
export async function readCheckpoint(path: string): Promise<Checkpoint> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new TadpoleError({ code: 'storage', message: `cannot read checkpoint ${path}: ${messageOf(cause)}`, cause });
  });
  try {
    const file = decodeSafetensors(bytes);
    if (file.metadata.format !== FORMAT) throw new Error(`expected metadata format '${FORMAT}', got '${file.metadata.format ?? 'none'}'`);
    const config = configSchema.parse(JSON.parse(file.metadata.config ?? 'null'));
    assertModelConfig(config);
    if (config.layers > file.tensors.size)
      throw new Error(`expected the tensors of ${config.layers} layers, got ${file.tensors.size} in all`);
    const weights = flat(file, config, '');
    const { step } = file.metadata;
    if (step === undefined) return { config, weights };
    const optimizer = { first: flat(file, config, FIRST_MOMENT), second: flat(file, config, SECOND_MOMENT), step: stepSchema.parse(step) };
    return { config, weights, optimizer };
  } catch (cause) {
    throw new TadpoleError({ code: 'invalid-input', message: `checkpoint ${path}: ${messageOf(cause)}; use another checkpoint`, cause });
  }
}

/** Refuses a checkpoint of another model. Throws `invalid-input` with both configs. */
export function assertSameModel(path: string, found: ModelConfig, expected: ModelConfig): void {
  if (isDeepStrictEqual({ ...found }, { ...expected })) return;
  const message = `checkpoint ${path}: expected a model of ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`;
  throw new TadpoleError({ code: 'invalid-input', message });
}

function messageOf(cause: unknown): string {
  if (cause instanceof z.ZodError) return z.prettifyError(cause);
  return cause instanceof Error ? cause.message : String(cause);
}

function named(config: ModelConfig, values: Float32Array, prefix: string): NamedTensor[] {
  return weightLayout(config).slots.map((slot) => ({ name: prefix + slot.name, shape: slot.shape, data: slotView(values, slot) }));
}

function flat({ tensors }: SafetensorsFile, config: ModelConfig, prefix: string): Float32Array {
  const layout = weightLayout(config);
  const values = new Float32Array(layout.length);
  for (const slot of layout.slots) {
    const tensor = tensors.get(prefix + slot.name);
    if (tensor === undefined) throw new Error(`tensor '${prefix + slot.name}' is missing`);
    if (tensor.shape.join() !== slot.shape.join())
      throw new Error(`tensor '${tensor.name}': expected shape [${slot.shape}], got [${tensor.shape}]`);
    if (!tensor.data.every(Number.isFinite)) throw new Error(`tensor '${tensor.name}' holds numbers that are not finite`);
    values.set(tensor.data, slot.offset);
  }
  return values;
}
