import { createHash } from 'node:crypto';
import { changedTokens, normalisePatch, patchKey } from './normalise-patch.js';
import { statementSimhash } from './statement-simhash.js';
import { tokenSet } from './token-jaccard.js';

/** What two tasks are told apart by. */
export interface DuplicateFacts {
  readonly goldPatch: string;
  readonly failToPass: readonly string[];
  /** The file that holds the bug, relative. */
  readonly file: string;
  /** The function around the bug, or `null` at module level or where it is not known. */
  readonly enclosingFunction: string | null;
  readonly statement: string;
}

/** The three keys of a task (taskpilot.md section 6). They hold no text of it. */
export interface TaskKeys {
  /** Key 1: sha256 of the normalised gold patch with its paths, `null` when it changes no token. */
  readonly patch: string | null;
  /** Key 2: sha256 of the sorted fail-to-pass ids, the file and the enclosing function. */
  readonly site: string;
  /** Key 3: 64-bit simhash of the statement, `null` when it has no word. */
  readonly statement: string | null;
  /** Hashes of the gold patch's tokens, for the similarity that key 2 asks for besides. */
  readonly tokens: readonly number[];
}

/**
 * Takes a task's keys.
 * @throws TadpoleError `invalid-input` when the gold patch is neither blank nor a diff.
 */
export function taskKeys({ goldPatch, failToPass, file, enclosingFunction, statement }: DuplicateFacts): TaskKeys {
  const files = normalisePatch(goldPatch);
  const site = JSON.stringify([[...new Set(failToPass)].sort(), file, enclosingFunction]);
  return {
    patch: patchKey(files),
    site: createHash('sha256').update(site).digest('hex'),
    statement: statementSimhash(statement),
    tokens: tokenSet(changedTokens(files)),
  };
}
