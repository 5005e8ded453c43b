/** One source file of the corpus. */
export interface CorpusFile {
  /** For instance `lodash/core.js`. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

/** A sampler of files: each as often as it has lines. */
export function createFilePicker(files: readonly CorpusFile[], random: () => number): () => CorpusFile {
  const ends: number[] = [];
  let total = 0;
  for (const { lines } of files) {
    total += lines.length;
    ends.push(total);
  }
  return () => {
    const target = random() * total;
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! > target) high = middle;
      else low = middle + 1;
    }
    return files[low]!;
  };
}
