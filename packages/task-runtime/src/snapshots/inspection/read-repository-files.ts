import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { relativePathSchema, TadpoleError } from '@tadpole/contracts';
import { readBoundedFile } from '../../tasks/read-bounded-file.js';
import { isCodePath, isToolFolder } from './path-roles.js';

/** The files of a folder that somebody else wrote, with the text of those that an inspection reads. */
export interface RepositoryFiles {
  /** Absolute. */
  readonly directory: string;
  /** Relative paths of regular files, sorted; without version control, caches and installed packages. */
  readonly paths: readonly string[];
  /** Text of code and of metadata; nothing for other files, for links, and for what is over the bound. */
  readonly texts: ReadonlyMap<string, string>;
  /** What was passed over, in words. */
  readonly notes: readonly string[];
}

/** Bounds of one inspection. */
const bounds = { files: 20_000, depth: 40, bytesOfText: 1_048_576, bytesOfAllTexts: 134_217_728 } as const;

const metadata =
  /(^|\/)(package\.json|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|pnpm-workspace\.yaml|lerna\.json|METADATA|PKG-INFO|top_level\.txt|copyright|licen[cs]e[^/]*|copying[^/]*|\.mocharc[^/]*)$/i;

/**
 * Lists a folder and reads its code and metadata. Nothing is executed and no link is followed, whether it leads out of the
 * folder or not; links, devices, names that are no UTF-8 and files over 1 MiB are passed over with a note.
 *
 * @throws TadpoleError `invalid-input` when there is no such folder, or it holds more than 20,000 files or 128 MiB of text.
 */
export async function readRepositoryFiles(options: { directory: string }): Promise<RepositoryFiles> {
  const directory = resolve(options.directory);
  const paths: string[] = [];
  const notes: string[] = [];
  const texts = new Map<string, string>();
  let bytes = 0;
  await visit('', 0);
  paths.sort((a, b) => (a < b ? -1 : 1));
  for (const path of paths) {
    if (!isCodePath(path) && !metadata.test(path)) continue;
    const text = await readBoundedFile({ path: join(directory, path), bytes: bounds.bytesOfText });
    if (typeof text === 'string') texts.set(path, text);
    else notes.push(`${path} was not read: it is over ${bounds.bytesOfText} bytes or not readable`);
    bytes += text?.length ?? 0;
    if (bytes > bounds.bytesOfAllTexts) throw refuse(directory, `its code is over ${bounds.bytesOfAllTexts} bytes`);
  }
  return { directory, paths, texts, notes };

  async function visit(folder: string, depth: number): Promise<void> {
    if (depth > bounds.depth) throw refuse(directory, `its folders are nested more than ${bounds.depth} deep`);
    for (const entry of await entries(join(directory, folder))) {
      const name = entry.name.toString('utf8');
      const path = folder === '' ? name : `${folder}/${name}`;
      const why = whyLeftOut(entry, path);
      if (why !== undefined) notes.push(`${JSON.stringify(path)} ${why}`);
      else if (entry.isFile()) paths.push(path);
      else if (!isToolFolder(name)) await visit(path, depth + 1);
    }
    if (paths.length > bounds.files) throw refuse(directory, `it holds more than ${bounds.files} files; give a folder inside it`);
  }
}

function whyLeftOut(entry: Dirent<Buffer>, path: string): string | undefined {
  const utf8 = Buffer.from(entry.name.toString('utf8')).equals(entry.name);
  if (!utf8 || !relativePathSchema.safeParse(path).success) return 'is left out: its name cannot stand in a path';
  if (entry.isFile() || entry.isDirectory()) return undefined;
  return entry.isSymbolicLink() ? 'is a link and was not followed' : 'is left out: it is no regular file';
}

async function entries(folder: string): Promise<readonly Dirent<Buffer>[]> {
  try {
    return await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected a readable folder at ${folder}, got: ${(cause as Error).message}`,
      cause,
    });
  }
}

function refuse(directory: string, why: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected ${directory} to be a repository that can be inspected, but ${why}` });
}
