import { posix } from 'node:path';
import type { FileChange } from '../edit/git-patch.js';
import { changedTexts, type Piece } from './change-pieces.js';

type Side = 'added' | 'removed';

/**
 * Splits the difference between two versions into groups that can be undone alone: pieces are together when they share a name
 * that the change introduced or dropped (in its file, or anywhere), or one that the file declares once and inside a piece, or
 * when one is a file that the other names. A simple analysis of identifiers, the same for every language; words in strings
 * count, whole-line comments do not. Groups and pieces keep the order given.
 */
export function groupPieces(options: { pieces: readonly Piece[]; changes: readonly FileChange[] }): readonly (readonly Piece[])[] {
  const { pieces, changes } = options;
  const sides = (['added', 'removed'] as const).map((side) => ({ side, names: linkingNames({ pieces, changes, side }) }));
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
function linkingNames(options: { pieces: readonly Piece[]; changes: readonly FileChange[]; side: Side }) {
  const { pieces, changes, side } = options;
  const [from, to] = side === 'added' ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const all = (version: 'before' | 'after') => new Set(changes.flatMap((change) => [...words(change[version] ?? '')]));
  const byFile = new Map(
    changes.map((change) => {
      const old = words(change[from] ?? '');
      const fresh = [...words(change[to] ?? '')].filter((word) => !old.has(word));
      const own = pieces.filter(({ file }) => file === change.path);
      return [change.path, new Set([...fresh, ...declaredInside({ pieces: own, text: change[to] ?? '', side })])];
    }),
  );
  const old = all(from);
  return { everywhere: new Set([...all(to)].filter((word) => !old.has(word))), byFile };
}

/** Names that a file declares exactly once, in a piece whose other side does not declare them. */
function declaredInside(options: { pieces: readonly Piece[]; text: string; side: Side }): string[] {
  const { pieces, text, side } = options;
  const everywhere = declarations(text);
  return pieces.flatMap((piece) => {
    const texts = changedTexts(piece);
    const other = declarations(texts[side === 'added' ? 'removed' : 'added']);
    return declarations(texts[side]).filter((name) => !other.includes(name) && everywhere.filter((same) => same === name).length === 1);
  });
}

function declarations(text: string): string[] {
  const keyword = 'const|let|var|function\\*?|class|interface|type|enum|def|fn|func|struct|trait';
  const pattern = new RegExp(`\\b(?:${keyword})\\s+([\\p{L}_$][\\p{L}\\p{N}_$]*)`, 'gu');
  return [...codeLines(text).join('\n').matchAll(pattern)].map(([, name]) => name!);
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
