/** The lines of one file, 1-based, that a run executed. */
export interface LineReach {
  /** While the module was loaded: whatever loads it depends on them. */
  readonly imported: ReadonlySet<number>;
  /** Inside functions that were called. */
  readonly executed: ReadonlySet<number>;
  /** Lines that a run can stop at; every other belongs to the ones around it. @default every line */
  readonly lines?: readonly number[] | undefined;
}

/** What running one test file reached, by file; `undefined` where the run did not tell. */
export type RunReach = ReadonlyMap<string, LineReach> | undefined;

/** The union of what several processes of one run reached. */
export function mergeReach(parts: readonly ReadonlyMap<string, LineReach>[]): ReadonlyMap<string, LineReach> {
  const merged = new Map<string, LineReach>();
  for (const part of parts) {
    for (const [file, reach] of part) {
      const known = merged.get(file);
      merged.set(file, {
        imported: new Set([...(known?.imported ?? []), ...reach.imported]),
        executed: new Set([...(known?.executed ?? []), ...reach.executed]),
        lines: reach.lines ?? known?.lines,
      });
    }
  }
  return merged;
}
