import { posix } from 'node:path';
import type { FileChange } from '../edit/git-patch.js';
import { changedTexts, type Piece } from './change-pieces.js';

type Side = 'added' | 'removed';

/**
 * Splits the difference between two versions into groups that can be undone alone: pieces are together when they share a name
 * that the change introduced or dropped (in its file, or anywhere), when one newly declares what the other newly uses, or when
 * one is a file that the other names. A simple analysis of identifiers, the same for every language and blind to scopes; words in
 * strings count, whole-line comments do not. Groups and pieces keep the order given.
 */
export function groupPieces(options: { pieces: readonly Piece[]; changes: readonly FileChange[] }): readonly (readonly Piece[])[] {
  const { pieces, changes } = options;
  const sides = (['added', 'removed'] as const).map((side) => ({ side, names: linkingNames({ pieces, changes, side }) }));
  const keys = pieces.map((piece) => [...sides.flatMap((one) => nameKeys({ piece, ...one })), ...fileKeys({ piece, pieces })]);
  return connect(keys).map((indices) => indices.map((index) => pieces[index]!));
}

interface LinkingNames {
  /** In one version of any file and in none of the other. */
  readonly everywhere: ReadonlySet<string>;
  /** The same for each file alone. */
  readonly inFile: ReadonlyMap<string, ReadonlySet<string>>;
  /** What a piece of the file declares on one side alone. */
  readonly declared: ReadonlyMap<string, ReadonlySet<string>>;
}

function linkingNames(options: { pieces: readonly Piece[]; changes: readonly FileChange[]; side: Side }): LinkingNames {
  const { pieces, changes, side } = options;
  const [from, to] = side === 'added' ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const all = (version: 'before' | 'after') => new Set(changes.flatMap((change) => [...words(change[version] ?? '')]));
  const declaredBy = (file: string) => pieces.filter((piece) => piece.file === file).flatMap((piece) => newDeclarations({ piece, side }));
  return {
    everywhere: without(all(to), all(from)),
    inFile: new Map(changes.map((change) => [change.path, without(words(change[to] ?? ''), words(change[from] ?? ''))])),
    declared: new Map(changes.map(({ path }) => [path, new Set(declaredBy(path))])),
  };
}

function nameKeys(options: { piece: Piece; side: Side; names: LinkingNames }): string[] {
  const { piece, side, names } = options;
  const texts = changedTexts(piece);
  const used = words(texts[side]);
  const newlyUsed = new Set([...without(used, words(texts[otherOf(side)])), ...newDeclarations({ piece, side })]);
  return [...used].flatMap((word) => {
    if (names.everywhere.has(word)) return [`${side} ${word}`];
    const ties = names.inFile.get(piece.file)?.has(word) || (newlyUsed.has(word) && names.declared.get(piece.file)?.has(word));
    return ties ? [`${side} ${piece.file} ${word}`] : [];
  });
}

function newDeclarations(options: { piece: Piece; side: Side }): string[] {
  const texts = changedTexts(options.piece);
  return [...without(new Set(declarations(texts[options.side])), new Set(declarations(texts[otherOf(options.side)])))];
}

function otherOf(side: Side): Side {
  return side === 'added' ? 'removed' : 'added';
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...names].filter((name) => !others.has(name)));
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
