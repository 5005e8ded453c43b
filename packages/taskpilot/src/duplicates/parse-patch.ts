import { TadpoleError } from '@tadpole/contracts';

/** One line of a hunk without its mark. */
export interface PatchLine {
  readonly kind: 'context' | 'removed' | 'added';
  readonly text: string;
}

/** One hunk: its lines, and what stands behind the second `@@`, which git fills with the enclosing declaration. */
export interface PatchHunk {
  readonly section: string;
  readonly lines: readonly PatchLine[];
}

/** One file of a patch. */
export interface PatchFile {
  /** Path after the patch, or before it for a deleted file. */
  readonly path: string;
  /** Path before the patch, different from `path` for a rename, or `null` for a new file. */
  readonly previousPath: string | null;
  readonly hunks: readonly PatchHunk[];
  /** Blob line and data of a binary file; empty for text. */
  readonly binary: readonly string[];
}

interface OpenFile {
  header: [string, string] | null;
  from: string | undefined;
  to: string | undefined;
  renamed: { from?: string; to?: string };
  isBinary: boolean;
  index: string[];
  binary: string[];
  hunks: { section: string; lines: PatchLine[] }[];
}

/** Behind the counted lines: nothing, the next file, or the signature of a mailed patch. */
const endsHunk = /^(?:$|--- |\+\+\+ |-- $)/;
const kinds = { ' ': 'context', '-': 'removed', '+': 'added' } as const;

/**
 * Reads a git or unified diff in time linear in its length. It takes what the patches of evaluation sets hold and
 * strict parsers refuse: wrong line counts (as `git apply --recount` does), renames and mode changes without hunks,
 * binary files, context lines that lost their space.
 *
 * @returns no file for a blank patch.
 * @throws TadpoleError `invalid-input` when a patch that is not blank names no file.
 */
export function parsePatch(patch: string): PatchFile[] {
  const files: OpenFile[] = [];
  let [oldLeft, newLeft] = [0, 0];
  for (const raw of patch.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const hunk = files.at(-1)?.hunks.at(-1);
    const kind = kinds[(line[0] ?? ' ') as keyof typeof kinds];
    const isCounted = oldLeft > 0 || newLeft > 0;
    if (hunk !== undefined && kind !== undefined && (isCounted || !endsHunk.test(line))) {
      hunk.lines.push({ kind, text: line.slice(1) });
      if (kind !== 'added') oldLeft -= 1;
      if (kind !== 'removed') newLeft -= 1;
    } else if (!line.startsWith('\\')) [oldLeft, newLeft] = readHeader(files, line);
  }
  const closed = files.flatMap(closeFile);
  if (closed.length > 0 || patch.trim() === '') return closed;
  const start = JSON.stringify(patch.slice(0, 60));
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected a git or unified diff, got text in which no file is named, beginning ${start}. Give the output of "git diff".`,
  });
}

/** Reads a line outside hunks; returns how many old and new lines the hunk that it opens counts. */
function readHeader(files: OpenFile[], line: string): [number, number] {
  const file = files.at(-1);
  if (line.startsWith('diff --git ')) files.push(openFile(headerPaths(line.slice('diff --git '.length))));
  else if (line.startsWith('--- ')) {
    const opened = file === undefined || file.from !== undefined ? openFile(null) : file;
    if (opened !== file) files.push(opened);
    opened.from = pathOf(line.slice(4));
  } else if (file === undefined) return [0, 0];
  else if (line.startsWith('+++ ')) file.to = pathOf(line.slice(4));
  else if (line.startsWith('@@ ')) return openHunk(file, line);
  else readExtendedHeader(file, line);
  return [0, 0];
}

function openFile(header: OpenFile['header']): OpenFile {
  return { header, from: undefined, to: undefined, renamed: {}, isBinary: false, index: [], binary: [], hunks: [] };
}

function openHunk(file: OpenFile, line: string): [number, number] {
  const match = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@ ?(.*)$/.exec(line);
  if (match === null) return [0, 0];
  file.hunks.push({ section: match[3] ?? '', lines: [] });
  return [Number(match[1] ?? 1), Number(match[2] ?? 1)];
}

function readExtendedHeader(file: OpenFile, line: string): void {
  if (file.isBinary) file.binary.push(line);
  else if (line === 'GIT binary patch' || (line.startsWith('Binary files ') && line.endsWith(' differ'))) {
    file.isBinary = true;
    file.binary.push(...file.index);
  } else if (line.startsWith('index ')) file.index = [line];
  else {
    const moved = /^(?:rename|copy) (from|to) (.+)$/.exec(line);
    if (moved === null) return;
    file.renamed[moved[1] as 'from' | 'to'] = unquote(moved[2] as string);
  }
}

function closeFile(file: OpenFile): PatchFile[] {
  let [from, to] = [file.from ?? file.header?.[0], file.to ?? file.header?.[1]];
  if (from === undefined || to === undefined) return [];
  const hasPrefixes = [from, to].every((path, side) => path === '/dev/null' || path.startsWith(side === 0 ? 'a/' : 'b/'));
  if (hasPrefixes) [from, to] = [from.replace(/^a\//, ''), to.replace(/^b\//, '')];
  [from, to] = [file.renamed.from ?? from, file.renamed.to ?? to];
  const path = to === '/dev/null' ? from : to;
  const binary = file.binary.filter((line) => line !== '');
  return [{ path, previousPath: from === '/dev/null' ? null : from, hunks: file.hunks, binary }];
}

/** The two paths of a `diff --git` line; names with spaces are told apart by being equal behind `a/` and `b/`. */
function headerPaths(text: string): [string, string] | null {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(text);
  if (quoted !== null) return [unquote(quoted[1] as string), unquote(quoted[2] as string)];
  const middle = (text.length - 1) / 2;
  return text[middle] === ' ' ? [text.slice(0, middle), text.slice(middle + 1)] : null;
}

/** A `---` or `+++` path ends at a tab, behind which plain diffs write a date. */
function pathOf(text: string): string {
  return unquote(text.split('\t', 1)[0] as string);
}

/** Undoes git's C-style quotes, whose octal escapes are bytes of UTF-8. */
function unquote(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
  const parts = [...text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)].map(([whole, octal, letter]) =>
    octal === undefined
      ? Buffer.from(letter === undefined ? whole : (letters[letter] ?? letter))
      : Buffer.from([Number.parseInt(octal, 8)]),
  );
  return Buffer.concat(parts).toString('utf8');
}
