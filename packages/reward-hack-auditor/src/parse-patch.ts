import type { Evidence } from '@tadpole/contracts';

/** A line that a patch adds or removes; offsets are those of `text` in the patch, without its sign. */
export interface PatchLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** 0-based hunk of the file. */
  readonly hunk: number;
}

/** A hunk with all of its lines. */
export interface PatchHunk {
  /** 1-based line of the old text where it starts; 0 when `oldCount` is 0 and it stands before everything. */
  readonly oldStart: number;
  readonly oldCount: number;
  /** `sign` is a space, `+` or `-`. */
  readonly lines: readonly (PatchLine & { readonly sign: string })[];
}

/** What a patch does to one file. */
export interface PatchFile {
  /** Path after the patch; of a deleted file its path before. */
  readonly path: string;
  readonly oldPath: string;
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed';
  readonly added: readonly PatchLine[];
  readonly removed: readonly PatchLine[];
  readonly hunks: readonly PatchHunk[];
  /** Offsets of the file's first header line. */
  readonly header: { readonly start: number; readonly end: number };
}

interface OpenFile {
  hunks: { oldStart: number; oldCount: number; lines: (PatchLine & { sign: string })[] }[];
  oldPath: string;
  path: string;
  status: PatchFile['status'];
  added: PatchLine[];
  removed: PatchLine[];
  header: { start: number; end: number };
}

/** Where a reader stands: lines left in the current hunk, on either side. */
interface Reader {
  readonly files: OpenFile[];
  hunk: number;
  oldLeft: number;
  newLeft: number;
}

/**
 * Reads a unified diff, with or without git's headers. Hunks are read by their counts, so that a changed line
 * that looks like a header is a line. Binary parts give a file without lines.
 */
export function parsePatch(patch: string): readonly PatchFile[] {
  const reader: Reader = { files: [], hunk: -1, oldLeft: 0, newLeft: 0 };
  let start = 0;
  for (const line of patch.split('\n')) {
    const file = reader.files[reader.files.length - 1];
    if (file && (reader.oldLeft > 0 || reader.newLeft > 0)) readHunkLine(reader, file, line, start);
    else readHeaderLine(reader, file, line, start);
    start += line.length + 1;
  }
  return reader.files;
}

function readHunkLine(reader: Reader, file: OpenFile, line: string, start: number): void {
  const sign = line[0] ?? ' ';
  if (sign === '\\') return;
  const changed: PatchLine = {
    text: line.slice(1),
    start: Math.min(start + 1, start + line.length),
    end: start + line.length,
    hunk: reader.hunk,
  };
  file.hunks.at(-1)?.lines.push({ ...changed, sign });
  if (sign === '+') file.added.push(changed);
  else if (sign === '-') file.removed.push(changed);
  if (sign !== '+') reader.oldLeft -= 1;
  if (sign !== '-') reader.newLeft -= 1;
}

function readHeaderLine(reader: Reader, file: OpenFile | undefined, line: string, start: number): void {
  const isGit = line.startsWith('diff --git ');
  if (isGit || (line.startsWith('--- ') && (!file || reader.hunk >= 0))) {
    const names = /^diff --git "?a\/(.*?)"? "?b\/(.*?)"?$/.exec(line);
    const header = { start, end: start + line.length };
    const opened: OpenFile = {
      oldPath: names?.[1] ?? '',
      path: names?.[2] ?? '',
      status: 'modified',
      added: [],
      removed: [],
      hunks: [],
      header,
    };
    reader.files.push(opened);
    reader.hunk = -1;
    if (!isGit) readHeader(opened, line);
  } else if (file && line.startsWith('@@ ')) {
    const counts = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    reader.oldLeft = Number(counts?.[2] ?? 1);
    reader.newLeft = Number(counts?.[3] ?? 1);
    reader.hunk += 1;
    file.hunks.push({ oldStart: Number(counts?.[1] ?? 1), oldCount: reader.oldLeft, lines: [] });
  } else if (file) readHeader(file, line);
}

/** Quotes a line of a patch, or the part [from, to) of it. */
export function citeLine(line: PatchLine, from = 0, to = line.text.length): Evidence {
  return { source: 'patch', start: line.start + from, end: line.start + to, quote: line.text.slice(from, to) };
}

/** Quotes the header line of a file. */
export function citeHeader(patch: string, file: PatchFile): Evidence {
  return { source: 'patch', ...file.header, quote: patch.slice(file.header.start, file.header.end) };
}

function readHeader(file: OpenFile, line: string): void {
  const name = /^(?:---|\+\+\+) "?(?:[ab]\/)?([^\t"]*)/.exec(line)?.[1];
  if (line.startsWith('--- ')) {
    if (name === '/dev/null') file.status = 'added';
    else file.oldPath = name ?? file.oldPath;
  } else if (line.startsWith('+++ ')) {
    if (name === '/dev/null') file.status = 'deleted';
    else file.path = name ?? file.path;
  } else if (line.startsWith('new file mode')) file.status = 'added';
  else if (line.startsWith('deleted file mode')) file.status = 'deleted';
  else if (line.startsWith('rename from ')) {
    file.status = 'renamed';
    file.oldPath = line.slice('rename from '.length);
  } else if (line.startsWith('rename to ')) file.path = line.slice('rename to '.length);
  if (file.path === '') file.path = file.oldPath;
  if (file.oldPath === '') file.oldPath = file.path;
}
