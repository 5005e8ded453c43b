import { type ForwardBackwardOutput, type SampleOutput, tinkerDescriptor, type WireDatum } from '@tadpole/contracts/tinker';
import protobuf from 'protobufjs/light.js';
import { TinkerFailure } from './tinker-failure.js';

const types = protobuf.Root.fromJSON(tinkerDescriptor as unknown as protobuf.INamespace);
const typeOf = (name: string) => types.lookupType(`tinker_public.${name}`);

/** A `ForwardBackwardRequest`. */
export interface ForwardBackwardCall {
  readonly modelId: string;
  readonly seqId: number;
  readonly data: readonly WireDatum[];
  readonly lossFn: string;
  readonly lossFnConfig: Readonly<Record<string, number>>;
  readonly forwardOnly: boolean;
}

/** The request's protobuf. */
export function encodeForwardBackward(call: ForwardBackwardCall): Uint8Array {
  const type = typeOf('ForwardBackwardRequest');
  const data = call.data.map(({ model_input, loss_fn_inputs }) => ({
    modelInput: model_input.chunks.map(({ tokens }) => ({ encodedText: { tokens: bytesOf(Int32Array.from(tokens)) } })),
    lossFnInputs: Object.fromEntries(
      Object.entries(loss_fn_inputs).map(([name, { dtype, data: values }]) => [
        name,
        dtype === 'int64'
          ? { dense: bytesOf(BigInt64Array.from(values, BigInt)), dtype: 2, shape: [values.length] }
          : { dense: bytesOf(Float32Array.from(values)), dtype: 1, shape: [values.length] },
      ]),
    ),
  }));
  return type.encode(type.fromObject({ ...call, data })).finish();
}

interface DecodedOutput {
  readonly lossFnOutputType?: string;
  readonly lossFnOutputs?: readonly {
    readonly fields?: Readonly<Record<string, { readonly data?: Uint8Array; readonly offsets?: Uint8Array; readonly dtype?: number }>>;
  }[];
  readonly metrics?: Readonly<Record<string, number>>;
}

/** A `ForwardBackwardOutput` in the form of its JSON. @throws TinkerFailure `malformed` */
export function decodeForwardBackwardOutput(bytes: Uint8Array): ForwardBackwardOutput {
  const decoded = decode<DecodedOutput>('ForwardBackwardOutput', bytes);
  const rows: ForwardBackwardOutput['loss_fn_outputs'] = [];
  for (const { fields = {} } of decoded.lossFnOutputs ?? []) {
    const first = rows.length;
    for (const [name, { data = new Uint8Array(), offsets = new Uint8Array(), dtype = 0 }] of Object.entries(fields)) {
      if (dtype !== 1) throw malformed(`${name} in float32, got dtype ${dtype}`);
      const ends = readLongs(offsets);
      for (let index = 0; index + 1 < ends.length; index += 1) {
        const part = data.subarray(ends[index], ends[index + 1]);
        rows[first + index] = { ...rows[first + index], [name]: { data: readFloats(part), dtype: 'float32' } };
      }
    }
  }
  return { loss_fn_output_type: decoded.lossFnOutputType ?? '', loss_fn_outputs: rows, metrics: { ...decoded.metrics } };
}

interface DecodedSamples {
  readonly sequences?: readonly { readonly stopReason?: number; readonly tokens?: Uint8Array; readonly logprobs?: Uint8Array }[];
  readonly promptLogprobs?: Uint8Array;
}

/** A `SampleResponse` in the form of its JSON; NaN stands for a log-probability that is not defined. @throws TinkerFailure `malformed` */
export function decodeSampleOutput(bytes: Uint8Array): SampleOutput {
  const decoded = decode<DecodedSamples>('SampleResponse', bytes);
  const { promptLogprobs } = decoded;
  return {
    sequences: (decoded.sequences ?? []).map(({ stopReason = 0, tokens = new Uint8Array(), logprobs = new Uint8Array() }) => ({
      stop_reason: stopReason === 1 ? ('length' as const) : ('stop' as const),
      tokens: readInts(tokens),
      logprobs: readFloats(logprobs),
    })),
    prompt_logprobs: promptLogprobs?.length ? readFloats(promptLogprobs).map((value) => (Number.isNaN(value) ? null : value)) : null,
  };
}

function decode<Message>(name: string, bytes: Uint8Array): Message {
  try {
    return typeOf(name).decode(bytes) as unknown as Message;
  } catch (cause) {
    throw malformed(`a protobuf ${name}, got other bytes: ${(cause as Error).message}`);
  }
}

function bytesOf(array: ArrayBufferView): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function readFloats(bytes: Uint8Array): number[] {
  const view = viewOf(bytes, 4);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getFloat32(4 * index, true));
}

function readInts(bytes: Uint8Array): number[] {
  const view = viewOf(bytes, 4);
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.getInt32(4 * index, true));
}

function readLongs(bytes: Uint8Array): number[] {
  const view = viewOf(bytes, 8);
  return Array.from({ length: bytes.length / 8 }, (_, index) => Number(view.getBigInt64(8 * index, true)));
}

function viewOf(bytes: Uint8Array, size: number): DataView {
  if (bytes.length % size !== 0) throw malformed(`a multiple of ${size} bytes, got ${bytes.length}`);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function malformed(problem: string): TinkerFailure {
  return new TinkerFailure({ kind: 'malformed', message: `expected ${problem}` });
}
