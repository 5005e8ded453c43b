import type { Tree } from '@vscode/tree-sitter-wasm';
import { changesLocally } from './changes-locally.js';
import type { Replacement } from './mutation-operator.js';
import type { ParsedFile } from './mutation-site.js';

/**
 * True when the changed file has no more ERROR or MISSING nodes than the file had, and its syntax differs only inside
 * the statements that are changed (no other line came into another block, or joined its neighbour). Parses incrementally.
 */
export function parsesClean(options: { source: ParsedFile; replacements: readonly Replacement[] }): boolean {
  const { source, replacements } = options;
  if (replacements.some((replacement) => gluesWords(source.text, replacement))) return false;
  const edited = source.tree.copy();
  let parsed: Tree | null = null;
  try {
    let text = source.text;
    for (const replacement of [...replacements].reverse()) {
      edited.edit(inputEdit(source, replacement));
      text = text.slice(0, replacement.start) + replacement.text + text.slice(replacement.end);
    }
    parsed = source.parser.parse(text, edited);
    if (parsed === null || (parsed.rootNode.hasError && countErrors(parsed) > countErrors(source.tree))) return false;
    return changesLocally({ source, replacements, edited, parsed, text });
  } finally {
    parsed?.delete();
    edited.delete();
  }
}

function inputEdit(source: ParsedFile, { start, end, text }: Replacement) {
  const { lines } = source;
  const pointAt = (offset: number) => ({ row: lines.lineAt(offset) - 1, column: offset - lines.startOf(lines.lineAt(offset)) });
  const startPosition = pointAt(start);
  const added = text.split('\n');
  const lastLine = added.at(-1)?.length ?? 0;
  return {
    startIndex: start,
    oldEndIndex: end,
    newEndIndex: start + text.length,
    startPosition,
    oldEndPosition: pointAt(end),
    newEndPosition: {
      row: startPosition.row + added.length - 1,
      column: added.length === 1 ? startPosition.column + lastLine : lastLine,
    },
  };
}

/** `return!x` must not become `returnx`, nor `not(a)b` `ab`: both parse but mean something else. */
function gluesWords(text: string, { start, end, text: added }: Replacement): boolean {
  const word = /[\p{L}\p{N}_$]/u;
  const [before, after] = [text[start - 1] ?? '', text[end] ?? ''];
  const first = added[0] ?? after;
  const last = added.at(-1) ?? before;
  const gluesStart = word.test(before) && word.test(first) && !word.test(text[start] ?? '');
  const gluesEnd = word.test(last) && word.test(after) && !word.test(text[end - 1] ?? '');
  return gluesStart || gluesEnd;
}

function countErrors(tree: Tree): number {
  let count = 0;
  const waiting = [tree.rootNode];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!node.hasError) continue;
    if (node.isError || node.isMissing) count += 1;
    for (const child of node.children) if (child !== null) waiting.push(child);
  }
  return count;
}
