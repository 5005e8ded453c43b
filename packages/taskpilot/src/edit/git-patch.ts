import { createTwoFilesPatch } from 'diff';

/** One file in both of its versions, as text that encodes to the exact bytes. */
export interface FileChange {
  /** Relative, forward slashes. */
  readonly path: string;
  /** As the snapshot has it. */
  readonly snapshot: string;
  /** As the agent's tree has it. */
  readonly buggy: string;
}

/** The patch that turns the agent's tree into the snapshot: one accepted solution, for `git apply`. */
export function goldPatch(options: { files: readonly FileChange[] }): string {
  return gitPatch(options.files.map(({ path, snapshot, buggy }) => ({ path, before: buggy, after: snapshot })));
}

/** The patch that turns the snapshot into the agent's tree, for `git apply`. */
export function bugPatch(options: { files: readonly FileChange[] }): string {
  return gitPatch(options.files.map(({ path, snapshot, buggy }) => ({ path, before: snapshot, after: buggy })));
}

function gitPatch(files: readonly { path: string; before: string; after: string }[]): string {
  return [...files]
    .sort((left, right) => (left.path < right.path ? -1 : 1))
    .filter(({ before, after }) => before !== after)
    .map(({ path, before, after }) => {
      const patch = createTwoFilesPatch('a', 'b', before, after, undefined, undefined, { context: 3 });
      const hunks = patch.slice(patch.indexOf('\n@@') + 1);
      const [from, to] = [quotePath(`a/${path}`), quotePath(`b/${path}`)];
      return `diff --git ${from} ${to}\n--- ${withTab(from)}\n+++ ${withTab(to)}\n${hunks}`;
    })
    .join('');
}

/** Git quotes a name that holds a quote or a control character. */
function quotePath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be quoted
  const special = /["\\\u0000-\u001f\u007f]/g;
  if (path.search(special) === -1) return path;
  return `"${path.replace(special, (character) =>
    character === '"' || character === '\\' ? `\\${character}` : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )}"`;
}

/** A tab ends a name that holds a space, as git writes it. */
function withTab(path: string): string {
  return path.includes(' ') ? `${path}\t` : path;
}
