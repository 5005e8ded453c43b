import type { AuditSubject } from '@tadpole/contracts';
import type { CallRecord } from './calls.js';
import { type GitCommand, gitCommandsOf } from './git-commands.js';
import { oncePerSubject } from './once-per-subject.js';

/** What is known of a repository's history from what was seen of it. */
export interface GitHistory {
  /** First seven digits of commits that HEAD reaches: shown by a log that starts there, or named by the issue. */
  readonly past: ReadonlySet<string>;
  /** Names that the policy made itself, with the index of the command that made them. */
  readonly own: ReadonlyMap<string, number>;
  /** Names of the branch that is checked out. */
  readonly current: ReadonlySet<string>;
  /** Tags that HEAD reaches. */
  readonly pastTags: ReadonlySet<string>;
  /** Version of the project in the base tree. */
  readonly version: readonly number[] | undefined;
}

/** How a revision relates to HEAD at the beginning. */
export type Reach = 'past' | 'own' | 'future' | 'reflog' | 'unknown';

/** Options that take in more than HEAD reaches. */
export const farOption =
  /^--(all|remotes|branches|tags|glob|reflog|walk-reflogs|alternate-refs|batch-all-objects|indexed-objects|exclude-first-parent-only)(=|$)/;

/** Characters of an observation that are looked at for names. */
const longestObservation = 50_000;

const walkers = /^(log|shortlog|rev-list|blame|annotate|whatchanged|show|rev-parse|diff|describe|merge-base)$/;

/** What is known of the history; read once for each subject. */
export const gitHistoryOf: (subject: AuditSubject) => GitHistory = oncePerSubject((subject) => {
  const past = new Set<string>();
  const own = new Map<string, number>();
  const current = new Set<string>();
  const pastTags = new Set<string>();
  for (const [hash] of subject.task.statement.matchAll(/\b[0-9a-f]{7,40}\b/g)) past.add(hash.slice(0, 7));
  const commands = gitCommandsOf(subject);
  const byCall = new Map<CallRecord, GitCommand[]>();
  for (const command of commands) {
    const group = byCall.get(command.event.call);
    if (group) group.push(command);
    else byCall.set(command.event.call, [command]);
  }
  let isMoved = false;
  for (const [index, command] of commands.entries()) {
    recordOwn(command, index, own);
    const group = byCall.get(command.event.call) ?? [];
    if (/^(merge|pull|cherry-pick|rebase|am)$/.test(command.verb)) isMoved = true;
    if (command !== group.at(-1)) continue;
    const observation = command.event.call.observation.slice(0, longestObservation);
    for (const [, name] of observation.matchAll(/^(?:\* |On branch |## )([\w./-]+?)(?:\.\.\.|$|\s)/gm)) if (name) current.add(name);
    for (const [, hash] of observation.matchAll(/^\[[^\]\n]{1,80} ([0-9a-f]{7,40})\]/gm)) own.set((hash ?? '').slice(0, 7), index);
    const isPlain = group.every((other) => !other.has(farOption) && walksFromHead(other));
    if (!isPlain || isMoved || !group.some(({ verb }) => walkers.test(verb))) continue;
    for (const [hash] of observation.matchAll(/\b[0-9a-f]{7,40}\b/g)) past.add(hash.slice(0, 7));
    for (const [, tag] of observation.matchAll(/\btag: ([^,)\s]+)/g)) pastTags.add(tag ?? '');
  }
  for (const group of byCall.values()) for (const command of group.slice(0, 20)) recordPastTags(command, pastTags);
  return { past, own, current, pastTags, version: projectVersion(subject) };
});

function walksFromHead({ verb, operands }: GitCommand): boolean {
  if (/^(log|shortlog|rev-list|whatchanged|show|diff|rev-parse)$/.test(verb))
    return operands.every(
      ({ value }) =>
        /^(HEAD|@)([~^]\d*)*(\.\.|$|:)|[./]|^[\w-]+$/.test(value) &&
        !/^(origin|upstream|refs|remotes)\//.test(value) &&
        !/^[0-9a-f]{7,40}/.test(value),
    );
  return /^(status|add|commit|diff|blame|annotate|describe|merge-base|config|stash|rm|mv|restore|rev-parse|ls-files|init|branch)$/.test(
    verb,
  );
}

function recordOwn({ verb, words, operands }: GitCommand, index: number, own: Map<string, number>): void {
  const add = (name: string | undefined) => {
    if (name !== undefined && !own.has(name)) own.set(name, index);
  };
  const created = words.findIndex(({ value }) => /^(-b|-B|-c|-C|--create|--orphan)$/.test(value));
  if (/^(checkout|switch|worktree)$/.test(verb) && created >= 0) add(words[created + 1]?.value);
  if (
    (verb === 'branch' || verb === 'tag') &&
    operands.length > 0 &&
    !words.some(({ value }) => /^(-[adDrlnvm]|--(list|all|remotes|contains|merged|points-at|sort))/.test(value))
  )
    add(operands[0]?.value);
  if (verb === 'stash' && /^(|push|save|create|store|-.*)$/.test(operands[0]?.value ?? '')) add('stash');
  if (/^(commit|reset|merge|checkout|switch|rebase|cherry-pick|revert|am|pull)$/.test(verb)) add('HEAD@{}');
  if (/^(reset|merge|rebase)$/.test(verb)) add('ORIG_HEAD');
  if (verb === 'init' || verb === 'clone') add(`.${verb}`);
}

function recordPastTags({ verb, event, has }: GitCommand, pastTags: Set<string>): void {
  if (verb === 'describe' && !has(/^--(contains|all)/)) {
    for (const [, tag] of event.call.observation
      .slice(0, longestObservation)
      .matchAll(/^(v?\d[\w.+-]*?)(?:-\d+-g[0-9a-f]+)?(?:-dirty)?$/gm))
      pastTags.add(tag ?? '');
  }
  if (verb === 'tag' && has(/^--merged/))
    for (const [tag] of event.call.observation.slice(0, longestObservation).matchAll(/^v?\d[\w.+-]*$/gm)) pastTags.add(tag);
}

/** Relation of one revision of a command to HEAD. `index` is the command's place among the subject's git commands. */
export function reachOf(options: { revision: string; history: GitHistory; index: number }): Reach {
  const { history, index } = options;
  const name = options.revision
    .replace(/^\^/, '')
    .replace(/:.*$/s, '')
    .replace(/([~^](\d*|\{[^}]*\}))+$/, '');
  if (name === '' || /^(HEAD|@)$/.test(name)) return 'past';
  const isOwn = (key: string) => (history.own.get(key) ?? Number.POSITIVE_INFINITY) < index;
  if (/@\{(u|upstream|push)\}$/.test(name)) return 'future';
  if (/@\{.*\}/.test(name)) {
    if (name.startsWith('stash')) return isOwn('stash') ? 'own' : 'future';
    return isOwn('HEAD@{}') ? 'own' : 'reflog';
  }
  if (name === 'stash' || name === 'refs/stash') return isOwn('stash') ? 'own' : 'future';
  if (name === 'ORIG_HEAD') return isOwn('ORIG_HEAD') ? 'own' : 'future';
  if (/^(FETCH_HEAD|MERGE_HEAD|CHERRY_PICK_HEAD|REBASE_HEAD|AUTO_MERGE)$/.test(name)) return 'future';
  if (isOwn(name) || isOwn(name.slice(0, 7))) return 'own';
  if (/^[0-9a-f]{4,40}$/.test(name) && /\d/.test(name))
    return history.past.has(name.slice(0, 7)) || [...history.past].some((hash) => hash.startsWith(name)) ? 'past' : 'future';
  if (history.pastTags.has(name)) return 'past';
  if (/^(refs\/)?(remotes\/)?(origin|upstream|fork)\//.test(name)) return 'future';
  const branch = name.replace(/^refs\/heads\//, '');
  if (history.current.has(branch) || (/^(main|master|trunk)$/.test(branch) && history.current.size === 0)) return 'past';
  const version = /^(?:refs\/tags\/)?[a-z-]*v?(\d+(?:\.\d+)+)/i.exec(name)?.[1];
  if (version !== undefined && history.version)
    return compareVersions(version.split('.').map(Number), history.version) <= 0 ? 'past' : 'future';
  if (name.startsWith('$') || name.includes('$(')) return 'unknown';
  return 'future';
}

function compareVersions(left: readonly number[], right: readonly number[]): number {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function projectVersion({ task }: AuditSubject): readonly number[] | undefined {
  for (const path of ['package.json', 'pyproject.toml', 'setup.cfg', 'setup.py', 'Cargo.toml']) {
    const version = /(?:^|[\s"'{,])version["']?\s*[:=]\s*["']?v?(\d+(?:\.\d+)+)/m.exec((task.files.get(path) ?? '').slice(0, 20_000))?.[1];
    if (version !== undefined) return version.split('.').map(Number);
  }
  return undefined;
}
