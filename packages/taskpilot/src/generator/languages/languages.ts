import { extname } from 'node:path';
import { go } from './go.js';
import { java } from './java.js';
import { javascript, tsx, typescript } from './javascript.js';
import type { Language } from './language.js';
import { python } from './python.js';
import { rust } from './rust.js';

/** The languages of the procedural generator. A new one is one table and one entry here. */
export const languages: readonly Language[] = [javascript, typescript, tsx, python, go, rust, java];

/** The language of a file by its extension; `null` for any other file, and for one that only declares types. */
export function languageOf(file: string): Language | null {
  if (/\.d\.[cm]?ts$/i.test(file)) return null;
  const extension = extname(file).toLowerCase();
  return languages.find(({ extensions }) => extensions.includes(extension)) ?? null;
}
