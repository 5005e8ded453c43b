import { basename } from 'node:path';
import { findLicence } from './find-licence.js';
import type { NpmManifest } from './npm-manifest.js';
import { readPythonMetadata } from './python-metadata.js';

/**
 * Name, version and licence of a repository, each from the first file that states it, with a note where one is assumed.
 * Without a name the folder's serves, without a version `0.0.0`; a licence is never assumed.
 */
export function describeOrigin(options: {
  manifest: NpmManifest | undefined;
  texts: ReadonlyMap<string, string>;
  /** Texts of the folder that was given, where that wraps the repository: a Debian `copyright` file stands there. */
  given: ReadonlyMap<string, string>;
  directory: string;
  overrides: { readonly name?: string; readonly version?: string; readonly licence?: string | undefined };
}): { readonly name: string; readonly version: string; readonly licence: string | undefined; readonly notes: readonly string[] } {
  const { manifest, texts, given, directory, overrides } = options;
  const notes: string[] = [];
  const stated = [
    ...(manifest === undefined
      ? []
      : [{ file: 'package.json', ...manifest, licence: manifest.license ?? manifest.licenses?.join(' OR ') }]),
    ...readPythonMetadata(texts),
  ];
  const first = (key: 'name' | 'version') => stated.find((metadata) => metadata[key] !== undefined)?.[key];
  let name = overrides.name ?? first('name');
  if (name === undefined) {
    name = basename(directory);
    notes.push(`nothing states a name, so the folder's serves: ${name}`);
  }
  let version = overrides.version ?? first('version');
  if (version === undefined) {
    version = '0.0.0';
    notes.push('nothing states a version, so 0.0.0 serves');
  }
  if (overrides.licence !== undefined) return { name, version, licence: overrides.licence, notes };
  const licences = stated.flatMap(({ licence, file }) => (licence === undefined ? [] : [{ licence, from: file }]));
  const found = findLicence({ stated: licences, texts: new Map([...texts, ...given]) });
  const vague = licences.map(({ licence, from }) => `${JSON.stringify(licence.slice(0, 60))} in ${from}`).join(', ');
  if (found === undefined) notes.push(`no licence was found${vague === '' ? '' : ` (${vague} names none by itself)`}`);
  else notes.push(`licence: ${found.licence}, from ${found.from}`);
  return { name, version, licence: found?.licence, notes };
}
