import type { Tensor } from 'onnxruntime-node';
import type { GraphSession, OnnxRuntime } from '../load-runtime.js';
import type { ModelConfig } from '../model/model-config.js';
import { LENGTH_MULTIPLE } from '../training/micro-batches.js';
import type { KeyValueCache, NewRows } from './key-value-cache.js';

/** The token that a row of the batch reads next. */
export interface DecodeRow {
  readonly token: number;
  /** The token before it; absent at the start of a sequence. */
  readonly previousToken: number | undefined;
  readonly position: number;
  /** 0 stands for greedy choice, for which the distribution does not matter. */
  readonly temperature: number;
}

/** What {@link decodeRows} runs on. */
export interface DecodeOptions {
  readonly runtime: OnnxRuntime;
  readonly config: ModelConfig;
  /** Loaded with the weights. */
  readonly session: GraphSession;
}

/** Distributions after each row's token, [rows, V], and the new cache rows. */
export interface DecodedRows {
  /** Log-probabilities at temperature 1. */
  readonly logprobs: Float32Array;
  /** Probabilities at each row's temperature. */
  readonly probabilities: Float32Array;
  readonly newRows: readonly NewRows[];
}

/** Rows of a decode step for `sequences` sequences: few distinct sizes. */
export function paddedRows(sequences: number): number {
  if (sequences <= 1) return 1;
  return sequences <= 8 ? Math.ceil(sequences / 2) * 2 : Math.ceil(sequences / 8) * 8;
}

/** Runs one step for the first rows of the cache; writes nothing. */
export async function decodeRows(rows: readonly DecodeRow[], cache: KeyValueCache, options: DecodeOptions): Promise<DecodedRows> {
  const { runtime, config, session } = options;
  const { width, heads, layers } = config;
  const batch = paddedRows(rows.length);
  const tokens = new Int32Array(batch);
  const previousTokens = new Int32Array(batch);
  const hasPrevious = new Float32Array(batch);
  const positions = new BigInt64Array(batch);
  const inverseTemperature = new Float32Array(batch).fill(1);
  rows.forEach(({ token, previousToken, position, temperature }, row) => {
    tokens[row] = token;
    previousTokens[row] = previousToken ?? 0;
    hasPrevious[row] = previousToken === undefined ? 0 : 1;
    positions[row] = BigInt(position);
    inverseTemperature[row] = 1 / (temperature || 1);
  });

  const float = (data: Float32Array, dimensions: number[]) =>
    new runtime.Tensor(
      'float32',
      data.subarray(
        0,
        dimensions.reduce((product, size) => product * size, 1),
      ),
      dimensions,
    );
  const feeds: Record<string, Tensor> = {
    tokens: new runtime.Tensor('int32', tokens, [batch]),
    previousTokens: new runtime.Tensor('int32', previousTokens, [batch]),
    hasPrevious: float(hasPrevious, [batch, 1]),
    positions: new runtime.Tensor('int64', positions, [batch, 1]),
    inverseTemperature: float(inverseTemperature, [batch, 1]),
    cacheMask: float(cache.mask, [batch, 1, 1, cache.length]),
  };
  cache.layers.forEach((layer, index) => {
    feeds[`cacheKey.${index}`] = float(layer.key, [batch, heads, cache.length / LENGTH_MULTIPLE, width / heads, LENGTH_MULTIPLE]);
    feeds[`cacheValue.${index}`] = float(layer.value, [batch, heads, cache.length, width / heads]);
    feeds[`previous.${index}`] = float(layer.previous, [batch, width]);
  });
  const outputs = await session.run(feeds);
  const data = (name: string) => outputs[name]!.data as Float32Array;
  return {
    logprobs: data('logprobs'),
    probabilities: data('probabilities'),
    newRows: Array.from({ length: layers }, (_, index) => ({
      key: data(`key.${index}`),
      value: data(`value.${index}`),
      hidden: data(`hidden.${index}`),
    })),
  };
}
