import type { Node, Tree } from '@vscode/tree-sitter-wasm';
import type { MutationSite } from './mutation-site.js';

/** True when the changed file has no more ERROR or MISSING nodes than the file had. Parses incrementally. */
export function parsesClean(site: MutationSite): boolean {
  const { source, replacement } = site;
  const { start, end, text } = replacement;
  if (gluesWords(site)) return false;
  const row = site.line - 1;
  const column = start - source.lines.startOf(site.line);
  const edited = source.tree.copy();
  let parsed: Tree | null = null;
  try {
    edited.edit({
      startIndex: start,
      oldEndIndex: end,
      newEndIndex: start + text.length,
      startPosition: { row, column },
      oldEndPosition: { row, column: column + end - start },
      newEndPosition: { row, column: column + text.length },
    });
    parsed = source.parser.parse(source.text.slice(0, start) + text + source.text.slice(end), edited);
    return parsed !== null && (!parsed.rootNode.hasError || countErrors(parsed.rootNode) <= countErrors(source.tree.rootNode));
  } finally {
    parsed?.delete();
    edited.delete();
  }
}

/** `return!x` must not become `returnx`, which parses but means something else. */
function gluesWords(site: MutationSite): boolean {
  const { source, replacement } = site;
  const word = /[\p{L}\p{N}_$]/u;
  return (
    word.test(source.text[replacement.start - 1] ?? '') &&
    word.test(replacement.text[0] ?? '') &&
    !word.test(source.text[replacement.start] ?? '')
  );
}

function countErrors(node: Node): number {
  if (!node.hasError) return 0;
  const own = node.isError || node.isMissing ? 1 : 0;
  return node.children.reduce((sum, child) => sum + (child === null ? 0 : countErrors(child)), own);
}
