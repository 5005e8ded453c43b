import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';

/** A prompt as it lies in its file, with the values that it wants. */
export interface Prompt<Name extends string = string> {
  /** File name, for records. */
  readonly file: string;
  /** sha256 of the file, hex. */
  readonly hash: string;
  fill(values: Readonly<Record<Name, string>>): string;
}

/**
 * Reads a prompt file. Every `{{name}}` in it must be among `names`, and every name must stand in it. A value is put in as
 * it is: placeholders inside it are not filled.
 *
 * @throws TadpoleError `storage` when it cannot be read, `invalid-config` when its placeholders are others.
 */
export function loadPrompt<Name extends string>(options: { directory: string; file: string; names: readonly Name[] }): Prompt<Name> {
  const { directory, file, names } = options;
  const path = join(directory, file);
  const text = read(path);
  const found = [...new Set([...text.matchAll(placeholder)].map((match) => match[1] as string))];
  const wrong = [...found.filter((name) => !names.some((known) => known === name)), ...names.filter((name) => !found.includes(name))];
  if (wrong.length > 0) {
    throw new TadpoleError({
      code: 'invalid-config',
      message: `Prompt ${path}: expected the placeholders ${names.join(', ')}, got ${found.join(', ') || 'none'}. Correct ${wrong.join(', ')}.`,
    });
  }
  return {
    file,
    hash: createHash('sha256').update(text, 'utf8').digest('hex'),
    fill: (values) => text.replace(placeholder, (_, name: Name) => values[name]).trimEnd(),
  };
}

const placeholder = /\{\{(\w+)\}\}/g;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new TadpoleError({ code: 'storage', message: `Cannot read the prompt ${path}.`, cause });
  }
}
