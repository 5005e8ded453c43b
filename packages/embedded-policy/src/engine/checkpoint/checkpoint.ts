import { readFile } from 'node:fs/promises';
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

/** Options of {@link writeCheckpoint}. */
export interface WriteCheckpointOptions {
  /** Precision on disk; float16 halves the file and rounds the weights. @default 'float32' */
  readonly precision?: 'float32' | 'float16';
}

const FORMAT = 'tadpole-policy-1';
const configSchema = z.object({
  vocabularySize: z.int(),
  width: z.int(),
  layers: z.int(),
  heads: z.int(),
  feedForward: z.int(),
  contextTokens: z.int(),
});

/** Writes one safetensors file with the weights and, if given, the optimizer's moments; atomically. */
export async function writeCheckpoint(path: string, { config, weights, optimizer }: Checkpoint, options: WriteCheckpointOptions = {}): Promise<void> {
  const tensors = named(config, weights, '');
  if (optimizer !== undefined) tensors.push(...named(config, optimizer.first, 'optimizer.first.'), ...named(config, optimizer.second, 'optimizer.second.'));
  const metadata = { format: FORMAT, config: JSON.stringify(config), ...(optimizer && { step: String(optimizer.step) }) };
  await writeFileAtomically(path, encodeSafetensors(tensors, { metadata, ...options }));
}

/** Reads a file of {@link writeCheckpoint}. Throws an Error that names the file and what is wrong with it. */
export async function readCheckpoint(path: string): Promise<Checkpoint> {
  try {
    const file = decodeSafetensors(await readFile(path));
    if (file.metadata['format'] !== FORMAT) throw new Error(`expected metadata format '${FORMAT}', got '${file.metadata['format'] ?? 'none'}'`);
    const config = configSchema.parse(JSON.parse(file.metadata['config'] ?? 'null'));
    assertModelConfig(config);
    const weights = flat(file, config, '');
    const step = Number(file.metadata['step'] ?? Number.NaN);
    if (!Number.isInteger(step)) return { config, weights };
    return { config, weights, optimizer: { first: flat(file, config, 'optimizer.first.'), second: flat(file, config, 'optimizer.second.'), step } };
  } catch (cause) {
    throw new Error(`cannot read checkpoint ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
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
    if (tensor.shape.join() !== slot.shape.join()) throw new Error(`tensor '${tensor.name}': expected shape [${slot.shape}], got [${tensor.shape}]`);
    values.set(tensor.data, slot.offset);
  }
  return values;
}
