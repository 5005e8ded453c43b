import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { fromFloat16Bits, toFloat16Bits } from './float16.js';

/** A named tensor; kept as float32 in memory. */
export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** A decoded safetensors file. */
export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, NamedTensor>;
  /** The free strings of the header. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Options of {@link encodeSafetensors}. */
export interface EncodeSafetensorsOptions {
  readonly metadata: Readonly<Record<string, string>>;
  /** Precision on disk. @default 'float32' */
  readonly precision?: 'float32' | 'float16';
}

const entrySchema = z.object({
  dtype: z.enum(['F32', 'F16']),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});
const metadataSchema = z.record(z.string(), z.string());

/** Encodes tensors in the safetensors format (huggingface/safetensors, README "Format"). */
export function encodeSafetensors(
  tensors: readonly NamedTensor[],
  { metadata, precision = 'float32' }: EncodeSafetensorsOptions,
): Uint8Array {
  const bytesPerElement = precision === 'float32' ? 4 : 2;
  const header: Record<string, unknown> = { __metadata__: metadata };
  let end = 0;
  for (const { name, shape, data } of tensors) {
    const start = end;
    end += data.length * bytesPerElement;
    header[name] = { dtype: precision === 'float32' ? 'F32' : 'F16', shape, data_offsets: [start, end] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const headerLength = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(8 + headerLength + end).fill(0x20, 8, 8 + headerLength);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(headerLength), true);
  bytes.set(text, 8);
  let offset = 8 + headerLength;
  for (const { data } of tensors) {
    for (const value of data) {
      if (precision === 'float32') view.setFloat32(offset, value, true);
      else view.setUint16(offset, toFloat16Bits(value), true);
      offset += bytesPerElement;
    }
  }
  return bytes;
}

/** Decodes a safetensors file of F32 and F16 tensors. Throws `invalid-input` with what is malformed. */
export function decodeSafetensors(bytes: Uint8Array): SafetensorsFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8) throw malformed(`expected at least 8 bytes, got ${bytes.length}`);
  const headerLength = Number(view.getBigUint64(0, true));
  const body = 8 + headerLength;
  if (body > bytes.length) throw malformed(`the header claims ${headerLength} bytes, the file has ${bytes.length - 8} after its length`);
  const { __metadata__, ...entries } = parseHeader(bytes.subarray(8, body));
  const metadata = metadataSchema.safeParse(__metadata__ ?? {});
  if (!metadata.success) throw malformed('__metadata__ is not a map of strings');
  const tensors = new Map<string, NamedTensor>();
  let claimed = 0;
  for (const [name, entry] of Object.entries(entries)) {
    const parsed = entrySchema.safeParse(entry);
    if (!parsed.success) throw malformed(`tensor '${name}': ${z.prettifyError(parsed.error)}`);
    const {
      dtype,
      shape,
      data_offsets: [start, end],
    } = parsed.data;
    const length = shape.reduce((product, size) => product * size, 1);
    const size = dtype === 'F32' ? 4 : 2;
    if (end - start !== length * size || body + end > bytes.length) {
      throw malformed(
        `tensor '${name}' of shape [${shape}] and type ${dtype} needs ${length * size} bytes, its offsets are ${start} to ${end} in ${bytes.length - body}`,
      );
    }
    claimed += length * size;
    if (claimed > bytes.length - body) throw malformed(`tensor '${name}' lies over others: together they need more bytes than there are`);
    const data = new Float32Array(length);
    for (let index = 0; index < length; index++) {
      const offset = body + start + index * size;
      data[index] = dtype === 'F32' ? view.getFloat32(offset, true) : fromFloat16Bits(view.getUint16(offset, true));
    }
    tensors.set(name, { name, shape, data });
  }
  return { tensors, metadata: metadata.data };
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw malformed('the header is not a JSON object', cause);
  }
}

function malformed(problem: string, cause?: unknown): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `not a usable safetensors file: ${problem}`, cause });
}
