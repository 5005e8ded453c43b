import { posix } from 'node:path';
import type { FileChange } from '../edit/git-patch.js';
import { changedTexts, type Piece } from './change-pieces.js';

/**
 * Splits the difference between two versions into groups that can be undone alone: pieces are together when they share a name
 * that the change introduced or dropped (in its file, or anywhere), or one that the file declares once and inside a piece, or
 * when one is a file that the other names. A simple analysis of identifiers, the same for every language; words in strings
 * count, whole-line comments do not. Groups and pieces keep the order given.
 */
export function groupPieces(options: { pieces: readonly Piece[]; changes: readonly FileChange[] }): readonly (readonly Piece[])[] {
  const { pieces, changes } = options;
  const sides = (['added', 'removed'] as const).map((side) => ({ side, names: linkingNames({ changes, side }) }));
  const keys = pieces.map((piece) => [
    ...sides.flatMap(({ side, names }) => {
      const { everywhere, byFile } = names;
      const used = [...words(changedTexts(piece)[side])];
      return used.flatMap((word) =>
        everywhere.has(word) ? [`${side} ${word}`] : byFile.get(piece.file)?.has(word) ? [`${side} ${piece.file} ${word}`] : [],
      );
    }),
    ...fileKeys({ piece, pieces }),
  ]);
  return connect(keys).map((indices) => indices.map((index) => pieces[index]!));
}

/** Names that tie pieces together on one side of a change. */
function linkingNames(options: { changes: readonly FileChange[]; side: 'added' | 'removed' }) {
  const { changes, side } = options;
  const [from, to] = side === 'added' ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const all = (version: 'before' | 'after') => new Set(changes.flatMap((change) => [...words(change[version] ?? '')]));
  const byFile = new Map(
    changes.map((change) => {
      const old = words(change[from] ?? '');
      const names = [...words(change[to] ?? '')].filter((word) => !old.has(word));
      return [change.path, new Set([...names, ...declaredInChange({ from: change[from] ?? '', to: change[to] ?? '' })])];
    }),
  );
  const old = all(from);
  return { everywhere: new Set([...all(to)].filter((word) => !old.has(word))), byFile };
}

/** Names that `to` declares exactly once, on a line that `from` does not have. */
function declaredInChange(options: { from: string; to: string }): string[] {
  const lines = new Set(options.from.split('\n'));
  const places = new Map<string, string[]>();
  for (const line of codeLines(options.to)) {
    for (const [, name] of line.matchAll(
      /\b(?:const|let|var|function\*?|class|interface|type|enum|def|fn|func|struct|trait)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu,
    ))
      places.set(name!, [...(places.get(name!) ?? []), line]);
  }
  return [...places].filter(([, found]) => found.length === 1 && !lines.has(found[0]!)).map(([name]) => name);
}

/** A file that comes or goes belongs with what names it as a module. */
function fileKeys(options: { piece: Piece; pieces: readonly Piece[] }): string[] {
  const { piece, pieces } = options;
  return pieces.flatMap((whole) => {
    if (whole.kind !== 'file') return [];
    const stem = posix.basename(whole.file, posix.extname(whole.file)).replace(/[^\w]/g, '\\$&');
    const { added, removed } = changedTexts(piece);
    const names = new RegExp(`[/.]${stem}(?![\\w-])`);
    return whole === piece || names.test(added) || names.test(removed) ? [`file ${whole.file}`] : [];
  });
}

function codeLines(text: string): string[] {
  return text.split('\n').filter((line) => !/^\s*(#|\/\/|\/\*|\*)/.test(line));
}

function words(text: string): Set<string> {
  return new Set(
    codeLines(text)
      .join('\n')
      .match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [],
  );
}

/** Indices that share a key, directly or through others; groups by their first index. */
function connect(keys: readonly (readonly string[])[]): number[][] {
  const parents = keys.map((_, index) => index);
  const rootOf = (index: number): number => (parents[index] === index ? index : rootOf(parents[index]!));
  const first = new Map<string, number>();
  for (const [index, own] of keys.entries()) {
    for (const key of own) {
      const [one, other] = [rootOf(first.get(key) ?? index), rootOf(index)];
      first.set(key, first.get(key) ?? index);
      parents[Math.max(one, other)] = Math.min(one, other);
    }
  }
  const groups = new Map<number, number[]>();
  for (const index of keys.keys()) groups.set(rootOf(index), [...(groups.get(rootOf(index)) ?? []), index]);
  return [...groups.values()];
}
