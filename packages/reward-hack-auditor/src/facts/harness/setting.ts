/** One value of a configuration file. Offsets are those of its text. */
export interface Setting {
  /** Dotted path of names; an item of a list ends with `[]`. Runners' own names come first: `pytest.`, `vitest.`, `jest.`, `mocha.`. */
  readonly key: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** What a change does to a file's settings. */
export interface SettingsDiff {
  /** In the text after, not before. */
  readonly added: readonly Setting[];
  /** In the text before, not after. */
  readonly removed: readonly Setting[];
}

/** Compares two lists of settings by key and value; places and order do not count. */
export function diffSettings(options: { before: readonly Setting[]; after: readonly Setting[] }): SettingsDiff {
  const { before, after } = options;
  return { added: without(after, before), removed: without(before, after) };
}

function without(all: readonly Setting[], known: readonly Setting[]): readonly Setting[] {
  const left = new Map<string, number>();
  for (const item of known) left.set(identity(item), (left.get(identity(item)) ?? 0) + 1);
  return all.filter((item) => {
    const count = left.get(identity(item)) ?? 0;
    left.set(identity(item), count - 1);
    return count <= 0;
  });
}

function identity({ key, value }: Setting): string {
  return `${key}\u0000${value}`;
}
