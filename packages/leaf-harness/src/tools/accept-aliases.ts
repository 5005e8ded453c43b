/**
 * For `z.preprocess`: moves the value of an alias to its real parameter when that one is absent, so that
 * a model which writes `path` for `file_path` is understood. Anything but an object passes unchanged.
 */
export function acceptAliases(
  aliases: Readonly<Record<string, { name: string; convert?: (value: unknown) => unknown }>>,
): (input: unknown) => unknown {
  return (input) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
    const given: Record<string, unknown> = { ...input };
    for (const [alias, { name, convert }] of Object.entries(aliases)) {
      if (given[alias] === undefined) continue;
      if (given[name] === undefined) given[name] = convert === undefined ? given[alias] : convert(given[alias]);
      delete given[alias];
    }
    return given;
  };
}
