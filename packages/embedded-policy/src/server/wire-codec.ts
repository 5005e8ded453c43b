import type { ForwardBackwardOutput, SampleOutput } from '@tadpole/contracts/tinker';
import { tinkerDescriptor } from '@tadpole/contracts/tinker';
import protobuf from 'protobufjs/light.js';
import { requireSmallProtobuf } from './body-structure.js';
import { RefusedRequest } from './refused-request.js';

const types = protobuf.Root.fromJSON(tinkerDescriptor as unknown as protobuf.INamespace);
const typeOf = (name: string) => types.lookupType(`tinker_public.${name}`);
const dtypes = { 1: 'float32', 2: 'int64', 3: 'int32' } as const;

interface DecodedTensor {
  readonly dense?: Uint8Array;
  readonly sparseCsr?: object;
  readonly dtype?: number;
}

interface DecodedRequest {
  readonly modelId?: string;
  readonly seqId?: number;
  readonly data?: readonly {
    readonly modelInput?: readonly { readonly encodedText?: { readonly tokens?: Uint8Array } }[];
    readonly lossFnInputs?: Readonly<Record<string, DecodedTensor>>;
  }[];
  readonly lossFn?: string;
  readonly lossFnConfig?: Readonly<Record<string, number>>;
  readonly lossFnConfigV2?: Readonly<Record<string, { readonly number?: number; readonly text?: string }>>;
  readonly forwardOnly?: boolean;
}

/** A protobuf `ForwardBackwardRequest` in the form of its JSON, to be checked as that is. @throws RefusedRequest 422 for other bytes. */
export function decodeForwardBackward(body: Uint8Array): { forwardOnly: boolean; request: unknown } {
  const decoded = decode(body);
  const config = Object.entries(decoded.lossFnConfigV2 ?? {}).map(([key, value]) => [key, value.number ?? value.text] as const);
  return {
    forwardOnly: decoded.forwardOnly ?? false,
    request: {
      model_id: decoded.modelId ?? '',
      seq_id: decoded.seqId || null,
      forward_backward_input: {
        loss_fn: decoded.lossFn ?? '',
        loss_fn_config: { ...decoded.lossFnConfig, ...Object.fromEntries(config) },
        data: (decoded.data ?? []).map(({ modelInput = [], lossFnInputs = {} }) => ({
          model_input: {
            chunks: modelInput.map(({ encodedText }) => ({
              type: encodedText === undefined ? 'image' : 'encoded_text',
              tokens: readNumbers(encodedText?.tokens ?? new Uint8Array(), 'int32'),
            })),
          },
          loss_fn_inputs: Object.fromEntries(Object.entries(lossFnInputs).map(([name, tensor]) => [name, tensorOf(name, tensor)])),
        })),
      },
    },
  };
}

/** Model and number alone of a protobuf request. @throws Error for other bytes */
export function readNumber(body: Uint8Array): { model_id: string; seq_id: number } {
  const reader = protobuf.Reader.create(body);
  const found = { model_id: '', seq_id: 0 };
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === 0x0a) found.model_id = reader.string();
    else if (tag === 0x10) found.seq_id = reader.int32();
    else reader.skipType(tag & 7);
  }
  return found;
}

function decode(body: Uint8Array): DecodedRequest {
  try {
    requireSmallProtobuf(body);
    return typeOf('ForwardBackwardRequest').decode(body) as unknown as DecodedRequest;
  } catch (error) {
    if (error instanceof RefusedRequest) throw error;
    throw new RefusedRequest(422, `Expected a protobuf ForwardBackwardRequest, got other bytes: ${(error as Error).message}`);
  }
}

function tensorOf(name: string, { dense, sparseCsr, dtype = 0 }: DecodedTensor) {
  const kind = dtypes[dtype as keyof typeof dtypes];
  if (sparseCsr) throw new RefusedRequest(422, `Expected a dense tensor ${name}, got a sparse one.`);
  if (kind === undefined) throw new RefusedRequest(422, `Expected ${name} in float32, int32 or int64, got dtype ${dtype}.`);
  return { dtype: kind === 'float32' ? 'float32' : 'int64', data: readNumbers(dense ?? new Uint8Array(), kind) };
}

function readNumbers(bytes: Uint8Array, kind: 'float32' | 'int32' | 'int64'): number[] {
  const size = kind === 'int64' ? 8 : 4;
  if (bytes.length % size !== 0) throw new RefusedRequest(422, `Expected a multiple of ${size} bytes of ${kind}, got ${bytes.length}.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / size }, (_, index) =>
    kind === 'float32'
      ? view.getFloat32(4 * index, true)
      : kind === 'int32'
        ? view.getInt32(4 * index, true)
        : Number(view.getBigInt64(8 * index, true)),
  );
}

/** A result in protobuf. */
export function encodeForwardBackwardOutput(output: ForwardBackwardOutput): Uint8Array {
  const rows = output.loss_fn_outputs;
  const names = Object.keys(rows[0] ?? {});
  const fields = Object.fromEntries(
    names.map((name) => {
      const arrays = rows.map((row) => Float32Array.from(row[name]?.data ?? []));
      const offsets = new BigInt64Array(arrays.length + 1);
      for (const [index, { byteLength }] of arrays.entries()) offsets[index + 1] = (offsets[index] ?? 0n) + BigInt(byteLength);
      const data = Buffer.concat(arrays.map((array) => Buffer.from(array.buffer)));
      return [name, { data, offsets: Buffer.from(offsets.buffer), dtype: 1 }];
    }),
  );
  const metrics = Object.fromEntries(Object.entries(output.metrics).filter(([, value]) => value !== null));
  const record = { typeTag: output.loss_fn_output_type, fields, numDatums: rows.length };
  return encode('ForwardBackwardOutput', { lossFnOutputType: output.loss_fn_output_type, lossFnOutputs: [record], metrics });
}

/** A result in protobuf; NaN stands for a log-probability that is not defined. */
export function encodeSampleOutput(output: SampleOutput): Uint8Array {
  const floats = (values: readonly (number | null)[]) => Buffer.from(Float32Array.from(values, (value) => value ?? Number.NaN).buffer);
  const sequences = output.sequences.map(({ stop_reason, tokens, logprobs }) => ({
    stopReason: stop_reason === 'length' ? 1 : 0,
    tokens: Buffer.from(Int32Array.from(tokens).buffer),
    logprobs: floats(logprobs ?? []),
  }));
  const { prompt_logprobs: prompt } = output;
  return encode('SampleResponse', { sequences, ...(prompt ? { promptLogprobs: floats(prompt) } : {}) });
}

function encode(name: string, message: object): Uint8Array {
  const type = typeOf(name);
  return type.encode(type.fromObject(message)).finish();
}
