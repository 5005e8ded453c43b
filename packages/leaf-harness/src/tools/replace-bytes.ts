/** More belong to a generated file, which a command edits better; every one of them costs memory here. */
const MAX_MATCHES = 2_000_000;

/** Larger results are no source code. */
const MAX_RESULT_BYTES = 67_108_864;

/** Where a text stands in a file. */
export interface Matches {
  /** Of those that do not overlap, from the start on. */
  readonly positions: readonly number[];
  /** Overlapping ones too: `aa` is ambiguous in `aaa`. */
  readonly overlapping: number;
}

/**
 * Where `search` stands in `bytes`, in time that is linear in both (Knuth, Morris and Pratt, 1977): `indexOf` is not,
 * and a model writes both. Throws what `fail` makes when there are more than 2,000,000.
 */
export function findBytes(options: { bytes: Uint8Array; search: Uint8Array; fail: (message: string) => Error }): Matches {
  const { bytes, search, fail } = options;
  const borders = bordersOf(search);
  const positions: number[] = [];
  let [overlapping, free, matched] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    while (matched > 0 && bytes[at] !== search[matched]) matched = borders[matched - 1]!;
    if (bytes[at] === search[matched]) matched += 1;
    if (matched < search.length) continue;
    matched = borders[matched - 1]!;
    overlapping += 1;
    const start = at + 1 - search.length;
    if (start >= free) {
      positions.push(start);
      free = at + 1;
    }
    if (overlapping > MAX_MATCHES)
      throw fail(
        `expected old_string to occur at most ${MAX_MATCHES} times, received a text that occurs more often. Nothing was changed; use Bash with sed.`,
      );
  }
  return { positions, overlapping };
}

/** The bytes with `replacement` at every position. Throws what `fail` makes when the result is larger than 64 MiB. */
export function replaceBytes(options: {
  bytes: Uint8Array;
  positions: readonly number[];
  searchBytes: number;
  replacement: Uint8Array;
  fail: (message: string) => Error;
}): Uint8Array {
  const { bytes, positions, searchBytes, replacement, fail } = options;
  const resultBytes = bytes.length + positions.length * (replacement.length - searchBytes);
  if (resultBytes > MAX_RESULT_BYTES)
    throw fail(`expected a result of at most ${MAX_RESULT_BYTES} bytes, received an edit that makes ${resultBytes}. Nothing was changed.`);
  const result = new Uint8Array(resultBytes);
  let [from, length] = [0, 0];
  for (const position of positions) {
    result.set(bytes.subarray(from, position), length);
    length += position - from;
    result.set(replacement, length);
    length += replacement.length;
    from = position + searchBytes;
  }
  result.set(bytes.subarray(from), length);
  return result;
}

/** For every beginning of `search`, the length of its longest proper beginning that is its end too. */
function bordersOf(search: Uint8Array): Uint32Array {
  const borders = new Uint32Array(search.length);
  let length = 0;
  for (let at = 1; at < search.length; at += 1) {
    while (length > 0 && search[at] !== search[length]) length = borders[length - 1]!;
    if (search[at] === search[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
