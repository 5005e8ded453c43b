import { parseSource } from '../example/parse-source.js';
import { namedFunctions } from './named-functions.js';

/** The innermost function with a name around a line (1-based), as `name` or `Class.name`; `null` outside of all or where the language is not known. */
export async function enclosingFunction(options: { file: string; text: string; line: number }): Promise<string | null> {
  const { file, text, line } = options;
  const read = (root: Parameters<typeof namedFunctions>[0]) =>
    namedFunctions(root)
      .filter(({ start, end }) => start <= line && line <= end)
      .at(-1) ?? null;
  const found = await parseSource({ file, text, read });
  return found === null ? null : found.owner === undefined ? found.name : `${found.owner}.${found.name}`;
}
