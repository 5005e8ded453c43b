import type { GitHistory } from './git-history.js';

/** How a revision relates to HEAD at the beginning. */
export type Reach = 'past' | 'own' | 'future' | 'reflog' | 'unknown';

/** What is known of a history at the place of one command. */
interface Known {
  readonly history: GitHistory;
  /** True for a name that the policy had made by then. */
  isOwn(name: string): boolean;
}

/** Relation of one revision of a command to HEAD. `index` is the command's place among the subject's git commands. */
export function reachOf(options: { revision: string; history: GitHistory; index: number }): Reach {
  const { revision, history, index } = options;
  const name = revision
    .replace(/^\^/, '')
    .replace(/:.*$/s, '')
    .replace(/([~^](\d*|\{[^}]*\}))+$/, '');
  const known: Known = { history, isOwn: (key) => (history.own.get(key) ?? Number.POSITIVE_INFINITY) < index };
  for (const read of [reachOfSpecial, reachOfCommit, reachOfBranch, reachOfVersion]) {
    const reach = read(name, known);
    if (reach) return reach;
  }
  return name.startsWith('$') || name.includes('$(') ? 'unknown' : 'future';
}

/** HEAD, the reflog, the stash, and what git leaves behind under a name of its own. */
function reachOfSpecial(name: string, { isOwn }: Known): Reach | undefined {
  if (name === '' || /^(HEAD|@)$/.test(name)) return 'past';
  if (/@\{(u|upstream|push)\}$/.test(name)) return 'future';
  if (/@\{.*\}/.test(name) && !name.startsWith('stash')) return isOwn('HEAD@{}') ? 'own' : 'reflog';
  if (/^(stash$|refs\/stash$|stash.*@\{.*\})/.test(name)) return isOwn('stash') ? 'own' : 'future';
  if (name === 'ORIG_HEAD') return isOwn('ORIG_HEAD') ? 'own' : 'future';
  return /^(FETCH_HEAD|MERGE_HEAD|CHERRY_PICK_HEAD|REBASE_HEAD|AUTO_MERGE)$/.test(name) ? 'future' : undefined;
}

function reachOfCommit(name: string, { history, isOwn }: Known): Reach | undefined {
  if (isOwn(name) || isOwn(name.slice(0, 7))) return 'own';
  if (!/^[0-9a-f]{4,40}$/.test(name) || !/\d/.test(name)) return undefined;
  return history.past.has(name.slice(0, 7)) || [...history.past].some((hash) => hash.startsWith(name)) ? 'past' : 'future';
}

function reachOfBranch(name: string, { history }: Known): Reach | undefined {
  if (history.pastTags.has(name)) return 'past';
  if (/^(refs\/)?(remotes\/)?(origin|upstream|fork)\//.test(name)) return 'future';
  const branch = name.replace(/^refs\/heads\//, '');
  const isUsual = history.current.size === 0 && /^(main|master|trunk)$/.test(branch);
  return isUsual || history.current.has(branch) ? 'past' : undefined;
}

/** A tag of a version that is not later than the project's own. */
function reachOfVersion(name: string, { history }: Known): Reach | undefined {
  const version = /^(?:refs\/tags\/)?[a-z-]*v?(\d+(?:\.\d+)+)/i.exec(name)?.[1];
  if (version === undefined || !history.version) return undefined;
  return compareVersions(version.split('.').map(Number), history.version) <= 0 ? 'past' : 'future';
}

function compareVersions(left: readonly number[], right: readonly number[]): number {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
