import type { Snapshot } from '@tadpole/contracts';
import { readTreeFile } from './read-tree-file.js';

/** The sources of a snapshot that can be changed byte exactly, by path; the others are passed over. */
export async function readSources(snapshot: Pick<Snapshot, 'directory' | 'sourceFiles'>): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const file of [...snapshot.sourceFiles].sort()) {
    const found = await readTreeFile({ directory: snapshot.directory, file });
    if (found.kind === 'text') sources.set(file, found.text);
  }
  return sources;
}
