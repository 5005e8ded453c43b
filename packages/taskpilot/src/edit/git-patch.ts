import { createTwoFilesPatch } from 'diff';

/** One file in two versions, as text that encodes to the exact bytes; `null` where there is no such file. */
export interface FileChange {
  /** Relative, forward slashes. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The patch for `git apply` that turns files from before to after. New files are not executable. */
export function gitPatch(options: { files: readonly FileChange[] }): string {
  return [...options.files]
    .sort((left, right) => (left.path < right.path ? -1 : 1))
    .filter(({ before, after }) => before !== after)
    .map(filePatch)
    .join('');
}

function filePatch({ path, before, after }: FileChange): string {
  const patch = createTwoFilesPatch('a', 'b', before ?? '', after ?? '', undefined, undefined, { context: 3 });
  const start = patch.indexOf('\n@@');
  const [from, to] = [quotePath(`a/${path}`), quotePath(`b/${path}`)];
  const mode = before === null ? 'new file mode 100644\n' : after === null ? 'deleted file mode 100644\n' : '';
  const header = `diff --git ${from} ${to}\n${mode}`;
  // An empty file that comes or goes has no lines to show.
  if (start === -1) return header;
  const names = `--- ${before === null ? '/dev/null' : withTab(from)}\n+++ ${after === null ? '/dev/null' : withTab(to)}\n`;
  return `${header}${names}${patch.slice(start + 1)}`;
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
