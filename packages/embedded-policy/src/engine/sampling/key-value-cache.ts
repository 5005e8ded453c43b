import type { ModelConfig } from '../model/model-config.js';
import { LENGTH_MULTIPLE, paddedLength } from '../training/micro-batches.js';

/** One prompt, per layer: keys [heads, T / 64, headWidth, 64], values [heads, T, headWidth] and last hidden row [width]. */
export interface PromptPrefix {
  /** Filled positions; at most T. */
  readonly length: number;
  readonly paddedLength: number;
  readonly layers: readonly { readonly key: Float32Array; readonly value: Float32Array; readonly hidden: Float32Array }[];
}

/** New rows of a decode step: keys and values [B, heads, 1, headWidth], hidden [B, width]. */
export interface NewRows {
  readonly key: Float32Array;
  readonly value: Float32Array;
  readonly hidden: Float32Array;
}

/** The keys and values of all running sequences; row r of every array belongs to sequence r. */
export interface KeyValueCache {
  /** Sequences that it has room for. */
  readonly rows: number;
  /** Padded positions L of every row. */
  readonly length: number;
  /**
   * Per layer: keys [rows, heads, L / 64, headWidth, 64], values [rows, heads, L, headWidth], previous hidden rows [rows, width].
   * Keys are transposed because the product of one query row with them is then the faster one, in blocks because it then
   * reads memory from front to back.
   */
  readonly layers: readonly { readonly key: Float32Array; readonly value: Float32Array; readonly previous: Float32Array }[];
  /** [rows, L]: 0 where filled, −1e9 elsewhere. */
  readonly mask: Float32Array;
}

/** An empty cache. Rows beyond the running sequences stay finite, so they may be computed along. */
export function createKeyValueCache(config: ModelConfig, rows: number, length = LENGTH_MULTIPLE): KeyValueCache {
  const layers = Array.from({ length: config.layers }, () => ({
    key: new Float32Array(rows * length * config.width),
    value: new Float32Array(rows * length * config.width),
    previous: new Float32Array(rows * config.width),
  }));
  return { rows, length, layers, mask: new Float32Array(rows * length).fill(-1e9) };
}

/** What {@link fitCache} makes room for. */
export interface CacheRoom {
  /** Sequences; a cache never loses rows. */
  readonly rows: number;
  /** Positions a sequence, before padding. */
  readonly positions: number;
}

/** Returns a cache with room for `needed`: the same one, or a copy with another padded length or more rows. */
export function fitCache(cache: KeyValueCache, config: ModelConfig, needed: CacheRoom): KeyValueCache {
  const length = paddedLength(needed.positions);
  const rows = Math.max(cache.rows, needed.rows);
  if (length === cache.length && rows === cache.rows) return cache;
  const fitted = createKeyValueCache(config, rows, length);
  const headWidth = config.width / config.heads;
  const kept = Math.min(length, cache.length);
  const copyBlocks = (from: Float32Array, to: Float32Array, blocks: number, unit: number) => {
    for (let block = 0; block < blocks; block++) {
      const start = block * cache.length * unit;
      to.set(from.subarray(start, start + kept * unit), block * length * unit);
    }
  };
  cache.layers.forEach((layer, index) => {
    const target = fitted.layers[index]!;
    copyBlocks(layer.key, target.key, cache.rows * config.heads, headWidth);
    copyBlocks(layer.value, target.value, cache.rows * config.heads, headWidth);
    target.previous.set(layer.previous);
  });
  copyBlocks(cache.mask, fitted.mask, cache.rows, 1);
  return fitted;
}

/** Fills row `row` with a prompt's prefix, which fits; `undefined` empties it. */
export function writePrefix(cache: KeyValueCache, config: ModelConfig, row: number, prefix: PromptPrefix | undefined): void {
  const filled = prefix?.length ?? 0;
  const headWidth = config.width / config.heads;
  cache.layers.forEach((layer, index) => {
    const source = prefix?.layers[index];
    layer.previous.fill(0, row * config.width, (row + 1) * config.width);
    if (source === undefined || prefix === undefined) return;
    layer.previous.set(source.hidden, row * config.width);
    const size = prefix.paddedLength * headWidth;
    for (let head = 0; head < config.heads; head++) {
      const to = (row * config.heads + head) * cache.length * headWidth;
      layer.key.set(source.key.subarray(head * size, (head + 1) * size), to);
      layer.value.set(source.value.subarray(head * size, (head + 1) * size), to);
    }
  });
  cache.mask.fill(0, row * cache.length, row * cache.length + filled);
  cache.mask.fill(-1e9, row * cache.length + filled, (row + 1) * cache.length);
}

/** Writes the new rows of a step at `position` of row `row`. */
export function writeStep(cache: KeyValueCache, config: ModelConfig, rows: readonly NewRows[], row: number, position: number): void {
  const { width, heads } = config;
  const headWidth = width / heads;
  const within = position % LENGTH_MULTIPLE;
  for (let index = 0; index < rows.length; index++) {
    const layer = cache.layers[index]!;
    const { key, value, hidden } = rows[index]!;
    for (let head = 0; head < heads; head++) {
      const from = (row * heads + head) * headWidth;
      const toValue = (row * heads + head) * cache.length * headWidth + position * headWidth;
      // The block's channels are rows of 64 positions.
      const toKey = toValue - within * headWidth + within;
      for (let channel = 0; channel < headWidth; channel++) {
        layer.key[toKey + channel * LENGTH_MULTIPLE] = key[from + channel]!;
        layer.value[toValue + channel] = value[from + channel]!;
      }
    }
    for (let channel = row * width; channel < (row + 1) * width; channel++) layer.previous[channel] = hidden[channel]!;
  }
  cache.mask[row * cache.length + position] = 0;
}

/** Copies row `from` over row `to`: compaction when a sequence ends. */
export function moveRow(cache: KeyValueCache, config: ModelConfig, from: number, to: number): void {
  const size = cache.length * config.width;
  for (const layer of cache.layers) {
    layer.key.copyWithin(to * size, from * size, (from + 1) * size);
    layer.value.copyWithin(to * size, from * size, (from + 1) * size);
    layer.previous.copyWithin(to * config.width, from * config.width, (from + 1) * config.width);
  }
  cache.mask.copyWithin(to * cache.length, from * cache.length, (from + 1) * cache.length);
}
