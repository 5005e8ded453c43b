import { createHash } from 'node:crypto';
import { codeTokens } from './code-tokens.js';
import { commentSyntax } from './comment-syntax.js';
import { type PatchFile, type PatchHunk, parsePatch } from './parse-patch.js';

/** What a patch changes in one file, as tokens: no white space, comments, line numbers or context. */
export interface NormalisedFile {
  readonly path: string;
  readonly previousPath: string | null;
  /** Tokens of the removed lines, in order. */
  readonly removed: readonly string[];
  /** Tokens of the added lines, in order; the data of a binary file. */
  readonly added: readonly string[];
}

/**
 * Brings a patch into the form that duplicate keys and n-grams are taken of (taskpilot.md section 6). Lines that a
 * run of changes has on both sides, apart from white space and comments, at its beginning or end, are no change.
 *
 * @throws TadpoleError `invalid-input` as {@link parsePatch} does.
 */
export function normalisePatch(patch: string): NormalisedFile[] {
  return parsePatch(patch)
    .map(normaliseFile)
    .sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
}

/** Every token of a normalised patch, without its paths. */
export function changedTokens(files: readonly NormalisedFile[]): string[] {
  return files.flatMap(({ removed, added }) => [...removed, ...added]);
}

/**
 * Equal for two patches that make the same change in the same file: sha256 of paths and tokens. Neither repository
 * nor version is in it, so a release that kept the lines gives the same key.
 *
 * @returns `null` when nothing but white space and comments changes: such a patch is like no other.
 */
export function patchKey(files: readonly NormalisedFile[]): string | null {
  const telling = files.filter(
    ({ path, previousPath, removed, added }) => removed.length + added.length > 0 || isRenamed(path, previousPath),
  );
  if (telling.length === 0) return null;
  const parts = telling.map(({ path, previousPath, removed, added }) => [
    isRenamed(path, previousPath) ? previousPath : '',
    path,
    removed,
    added,
  ]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function isRenamed(path: string, previousPath: string | null): boolean {
  return previousPath !== null && previousPath !== path;
}

function normaliseFile({ path, previousPath, hunks, binary }: PatchFile): NormalisedFile {
  const file = { path, previousPath, removed: [] as string[], added: [...binary] };
  const syntax = commentSyntax(path);
  for (const hunk of hunks) {
    const sideTokens = (absent: 'added' | 'removed') =>
      codeTokens({ lines: hunk.lines.filter(({ kind }) => kind !== absent).map(({ text }) => text), syntax });
    const [before, after] = [sideTokens('added'), sideTokens('removed')];
    for (const { removed, added } of changeRuns(hunk, before, after)) {
      for (const tokens of removed) for (const token of tokens) file.removed.push(token);
      for (const tokens of added) for (const token of tokens) file.added.push(token);
    }
  }
  return file;
}

interface ChangeRun {
  removed: string[][];
  added: string[][];
}

/** Runs of changed lines between context lines, as tokens, without what both sides share at their ends. */
function changeRuns(hunk: PatchHunk, before: readonly string[][], after: readonly string[][]): ChangeRun[] {
  const runs: ChangeRun[] = [{ removed: [], added: [] }];
  let [oldLine, newLine] = [0, 0];
  for (const { kind } of hunk.lines) {
    const run = runs.at(-1) as ChangeRun;
    if (kind === 'context') runs.push({ removed: [], added: [] });
    if (kind === 'removed') run.removed.push(before[oldLine] as string[]);
    if (kind === 'added') run.added.push(after[newLine] as string[]);
    if (kind !== 'added') oldLine += 1;
    if (kind !== 'removed') newLine += 1;
  }
  return runs.map(withoutSharedEnds);
}

function withoutSharedEnds(run: ChangeRun): ChangeRun {
  const [removed, added] = [run.removed, run.added].map((lines) => lines.filter((tokens) => tokens.length > 0)) as [string[][], string[][]];
  const isEqual = (left: string[] | undefined, right: string[] | undefined) => JSON.stringify(left) === JSON.stringify(right);
  const shorter = Math.min(removed.length, added.length);
  let start = 0;
  while (start < shorter && isEqual(removed[start], added[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isEqual(removed.at(-1 - end), added.at(-1 - end))) end += 1;
  return { removed: removed.slice(start, removed.length - end), added: added.slice(start, added.length - end) };
}
