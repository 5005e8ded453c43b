/** Padded lengths are multiples of this; the sampler pads its caches to the same multiple. */
export const LENGTH_MULTIPLE = 64;

/** The padded length of a sequence of `length` tokens. */
export function paddedLength(length: number): number {
  return Math.max(LENGTH_MULTIPLE, Math.ceil(length / LENGTH_MULTIPLE) * LENGTH_MULTIPLE);
}

/** Sequences that run together. */
export interface MicroBatch {
  /** Indices into the batch. */
  readonly indices: readonly number[];
  /** Common padded length T, in tokens. */
  readonly length: number;
}

/**
 * Groups sequences of equal padded length, at most `tokenBudget` padded tokens a group (one sequence at least). The
 * plan depends on the lengths and their order only.
 */
export function planMicroBatches(lengths: readonly number[], tokenBudget: number): MicroBatch[] {
  const buckets = new Map<number, number[]>();
  lengths.forEach((length, index) => {
    const padded = paddedLength(length);
    const bucket = buckets.get(padded);
    if (bucket === undefined) buckets.set(padded, [index]);
    else bucket.push(index);
  });
  const plan: MicroBatch[] = [];
  for (const [length, indices] of [...buckets].sort(([a], [b]) => a - b)) {
    const size = Math.max(1, Math.floor(tokenBudget / length));
    for (let start = 0; start < indices.length; start += size) plan.push({ indices: indices.slice(start, start + size), length });
  }
  return plan;
}
