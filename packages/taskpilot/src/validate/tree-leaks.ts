import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Gate, type Snapshot, TadpoleError } from '@tadpole/contracts';
import { squeeze } from '../squeeze.js';
import { isHidden } from './hidden-files.js';
import { Refusal } from './validation.js';

/** Shorter passages stand in many files by chance. In characters without white space. */
const shortestPassage = 40;
const largestFileBytes = 2 ** 20;

/**
 * Nothing that the agent can read holds the gold patch's lines with their neighbours: a built or vendored copy, a second
 * file with the same function, a saved diff. Throws {@link Refusal}. Not covered: copies in another wording, compressed
 * ones, and files above 1 MiB.
 */
export async function treeHoldsNoAnswer(options: { snapshot: Snapshot; goldPatch: string; changed: readonly string[] }): Promise<Gate> {
  const { snapshot, ...rest } = options;
  const name = 'tree-holds-no-answer';
  const { leak, ...evidence } = await searchTree({ directory: snapshot.directory, hiddenPaths: snapshot.hiddenPaths, ...rest });
  if (leak === null) return { name, passed: true, evidence };
  throw new Refusal({ reason: 'leaky-tree', detail: `${leak.file} holds lines of the gold patch`, gate: name, evidence: { ...leak } });
}

/** Looks for passages of a gold patch in the files of a folder, those that it changes aside. @throws TadpoleError `storage`. */
export async function searchTree(options: {
  directory: string;
  hiddenPaths: readonly string[];
  goldPatch: string;
  changed: readonly string[];
}): Promise<{ passages: number; files: number; leak: { file: string; passage: string } | null }> {
  const passages = goldPassages(options.goldPatch).filter((passage) => passage.length >= shortestPassage);
  const texts = passages.length === 0 ? [] : await visibleTexts({ ...options, except: options.changed });
  for (const { file, text } of texts) {
    const squeezed = squeeze(text);
    const passage = passages.find((one) => squeezed.includes(one));
    if (passage !== undefined) return { passages: passages.length, files: texts.length, leak: { file, passage } };
  }
  return { passages: passages.length, files: texts.length, leak: null };
}

/** Every run of added lines with the unchanged line before and after it, without white space. */
function goldPassages(patch: string): string[] {
  const passages: string[] = [];
  for (const hunk of patch.split(/^@@ .*$/m).slice(1)) {
    const lines = hunk
      .split(/^diff --git /m)[0]!
      .split('\n')
      .filter((line) => /^[ +]/.test(line));
    for (let start = 0; start < lines.length; start++) {
      if (!lines[start]!.startsWith('+')) continue;
      let end = start;
      while (lines[end + 1]?.startsWith('+')) end++;
      passages.push(
        squeeze(
          lines
            .slice(Math.max(0, start - 1), end + 2)
            .map((line) => line.slice(1))
            .join('\n'),
        ),
      );
      start = end;
    }
  }
  return passages;
}

/** Text files of a folder without its hidden paths, up to 1 MiB each. @throws TadpoleError `storage` */
export async function visibleTexts(options: {
  directory: string;
  hiddenPaths: readonly string[];
  /** Paths that are left out. */
  except: readonly string[];
}): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const { directory, hiddenPaths, except } = options;
  const texts: { file: string; text: string }[] = [];
  for (const file of await listVisible({ directory, hiddenPaths, folder: '' })) {
    const text = except.includes(file) ? null : await readText(join(directory, file));
    if (text !== null) texts.push({ file, text });
  }
  return texts;
}

async function listVisible(options: { directory: string; hiddenPaths: readonly string[]; folder: string }): Promise<string[]> {
  const { directory, hiddenPaths, folder } = options;
  const entries: Dirent[] = await readdir(join(directory, folder), { withFileTypes: true }).catch((cause: Error) => {
    throw new TadpoleError({ code: 'storage', message: `Cannot read ${join(directory, folder)}: ${cause.message}`, cause });
  });
  const nested = entries
    .map((entry) => ({ entry, file: folder === '' ? entry.name : `${folder}/${entry.name}` }))
    .filter(({ entry, file }) => entry.name !== '.git' && !isHidden({ file, hiddenPaths }))
    .map(({ entry, file }) => (entry.isDirectory() ? listVisible({ ...options, folder: file }) : entry.isFile() ? [file] : []));
  return (await Promise.all(nested)).flat().sort();
}

/** `null` for a file that is large or is no text. */
async function readText(path: string): Promise<string | null> {
  if ((await stat(path)).size > largestFileBytes) return null;
  const bytes = await readFile(path);
  return bytes.includes(0) ? null : bytes.toString('utf8');
}
