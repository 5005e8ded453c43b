import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CorpusFile } from '../src/base/corpus-file.js';
import { fetchPackages } from './fetch-packages.js';
import { readCorpus } from './read-corpus.js';

const listSchema = z.array(z.object({ name: z.string(), version: z.string(), integrity: z.string().optional() }));

/** The corpus of the base in two parts that share no file: about one file in twenty is held out, chosen by the hash of its path. */
export async function loadCorpus({
  cache,
}: {
  cache: string;
}): Promise<{ train: CorpusFile[]; heldOut: CorpusFile[]; contaminated: string[] }> {
  const corpus = await fetchPackages(await readList('base-corpus.json'), join(cache, 'corpus'));
  const excluded = await fetchPackages(await readList('base-excluded.json'), join(cache, 'excluded'));
  const { files, contaminated } = await readCorpus({ folders: corpus, excluded });
  const isHeldOut = ({ path }: CorpusFile) => createHash('sha256').update(path).digest()[0]! < 13;
  return { train: files.filter((file) => !isHeldOut(file)), heldOut: files.filter(isHeldOut), contaminated };
}

async function readList(name: string): Promise<{ name: string; version: string; integrity?: string }[]> {
  const parsed = listSchema.parse(JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8')));
  return parsed.map(({ integrity, ...pinned }) => (integrity === undefined ? pinned : { ...pinned, integrity }));
}
