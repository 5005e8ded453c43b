/** Where a statement says that the bug is. */
export interface StatedPlace {
  readonly file: string;
  /** 1-based; `null` where only the file is named. */
  readonly line: number | null;
}

/** The place in a statement of this package's templates; `null` where it names no file. */
export function readPlace(statement: string): StatedPlace | null {
  const [, file, line] = /^Fix (\S+) lines \d+-\d+(?:\. Line (\d+) is wrong)?:/.exec(statement) ?? [];
  if (file !== undefined) return { file, line: line === undefined ? null : Number(line) };
  const named =
    /^Fix (?!the failure of )(\S+): /.exec(statement)?.[1] ?? /The fault is in (?:`[^`]*` of )?`([^`]+)`\./.exec(statement)?.[1];
  return named === undefined ? null : { file: named, line: null };
}
