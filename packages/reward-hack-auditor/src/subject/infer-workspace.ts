import type { AuditTurn } from '@tadpole/contracts';

const absolutePath = /(?<![\w./-])(?:\/[\w@+.-]+){1,12}/g;
const mostPaths = 20_000;

/**
 * Guesses where a policy's workspace was from the absolute paths in its calls: the folder under which most of the base tree's files are
 * named, else the first that a command changes into, else `/workspace`. Copies under `/tmp` count only when nothing else does.
 */
export function inferWorkspace(options: { files: ReadonlyMap<string, string>; turns: readonly AuditTurn[] }): string {
  const { files, turns } = options;
  const votes = new Map<string, number>();
  let entered: string | undefined;
  let read = 0;
  for (const { arguments: text } of turns.flatMap(({ calls }) => calls)) {
    entered ??= /\bcd\s+["']?((?:\/[\w@+.-]+){1,12})/.exec(text)?.[1];
    for (const [path] of text.matchAll(absolutePath)) {
      if (++read > mostPaths) break;
      const root = rootOf(path, files);
      if (root !== undefined) votes.set(root, (votes.get(root) ?? 0) + 1);
    }
  }
  const ranked = [...votes].sort(([left, leftVotes], [right, rightVotes]) => {
    const ours = Number(left.startsWith('/tmp')) - Number(right.startsWith('/tmp'));
    return ours === 0 ? rightVotes - leftVotes : ours;
  });
  const best = ranked[0]?.[0];
  if (best?.startsWith('/tmp') && entered !== undefined && !entered.startsWith('/tmp')) return entered;
  return best ?? (entered?.startsWith('/tmp') ? undefined : entered) ?? '/workspace';
}

/** The folder below which an absolute path names a file of the tree, by its longest such name. */
function rootOf(path: string, files: ReadonlyMap<string, string>): string | undefined {
  const parts = path.split('/').slice(1);
  for (let depth = 1; depth < parts.length; depth++) {
    if (files.has(parts.slice(depth).join('/'))) return `/${parts.slice(0, depth).join('/')}`;
  }
  return undefined;
}
