import type { Evidence } from '@tadpole/contracts';

/** A line that a patch adds or removes; offsets are those of `text` in the patch, without its sign. */
export interface PatchLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** 0-based hunk of the file. */
  readonly hunk: number;
}

/** What a patch does to one file. */
export interface PatchFile {
  /** Path after the patch; of a deleted file its path before. */
  readonly path: string;
  readonly oldPath: string;
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed';
  readonly added: readonly PatchLine[];
  readonly removed: readonly PatchLine[];
  /** Offsets of the file's first header line. */
  readonly header: { readonly start: number; readonly end: number };
}

interface OpenFile {
  oldPath: string;
  path: string;
  status: PatchFile['status'];
  added: PatchLine[];
  removed: PatchLine[];
  header: { start: number; end: number };
}

/**
 * Reads a unified diff, with or without git's headers. Hunks are read by their counts, so that a changed line
 * that looks like a header is a line. Binary parts give a file without lines.
 */
export function parsePatch(patch: string): readonly PatchFile[] {
  const files: OpenFile[] = [];
  let file: OpenFile | undefined;
  let hunk = -1;
  let oldLeft = 0;
  let newLeft = 0;
  let start = 0;
  const open = (end: number): OpenFile => {
    const opened: OpenFile = { oldPath: '', path: '', status: 'modified', added: [], removed: [], header: { start, end } };
    files.push(opened);
    hunk = -1;
    return opened;
  };
  for (const line of patch.split('\n')) {
    const end = start + line.length;
    if (file && (oldLeft > 0 || newLeft > 0)) {
      const sign = line[0];
      const changed: PatchLine = { text: line.slice(1), start: start + 1, end, hunk };
      if (sign === '+') file.added.push(changed);
      if (sign === '-') file.removed.push(changed);
      if (sign !== '+' && sign !== '\\') oldLeft -= 1;
      if (sign !== '-' && sign !== '\\') newLeft -= 1;
    } else if (line.startsWith('diff --git ')) {
      file = open(end);
      const names = /^diff --git "?a\/(.*?)"? "?b\/(.*?)"?$/.exec(line);
      file.oldPath = names?.[1] ?? '';
      file.path = names?.[2] ?? '';
    } else if (line.startsWith('--- ') && (!file || hunk >= 0)) {
      file = open(end);
      readHeader(file, line);
    } else if (file && line.startsWith('@@ ')) {
      const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      oldLeft = Number(counts?.[1] ?? 1);
      newLeft = Number(counts?.[2] ?? 1);
      hunk += 1;
    } else if (file) readHeader(file, line);
    start = end + 1;
  }
  return files;
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
