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

/** Options that take in more than HEAD reaches. */
export const farOption =
  /^--(all|remotes|branches|tags|glob|reflog|walk-reflogs|alternate-refs|batch-all-objects|indexed-objects|exclude-first-parent-only)(=|$)/;

/** Characters of an observation that are looked at for names. */
const longestObservation = 50_000;

/** Commands of one call whose observation is looked at for tags. */
const mostInCall = 20;

const walkers = /^(log|shortlog|rev-list|blame|annotate|whatchanged|show|rev-parse|diff|describe|merge-base)$/;

/** What is known of the history; read once for each subject. */
export const gitHistoryOf: (subject: AuditSubject) => GitHistory = oncePerSubject((subject) => {
  const history = {
    past: new Set<string>(),
    own: new Map<string, number>(),
    current: new Set<string>(),
    pastTags: new Set<string>(),
    version: projectVersion(subject),
  };
  addHashes(subject.task.statement, history.past);
  const commands = gitCommandsOf(subject);
  const byCall = groupByCall(commands);
  let isMoved = false;
  for (const [index, command] of commands.entries()) {
    recordOwn(command, index, history.own);
    if (/^(merge|pull|cherry-pick|rebase|am)$/.test(command.verb)) isMoved = true;
    const group = byCall.get(command.event.call) ?? [];
    if (command === group.at(-1)) recordShown({ group, index, history, isMoved });
  }
  for (const group of byCall.values()) for (const command of group.slice(0, mostInCall)) recordPastTags(command, history.pastTags);
  return history;
});

function groupByCall(commands: readonly GitCommand[]): ReadonlyMap<CallRecord, readonly GitCommand[]> {
  const byCall = new Map<CallRecord, GitCommand[]>();
  for (const command of commands) {
    const group = byCall.get(command.event.call);
    if (group) group.push(command);
    else byCall.set(command.event.call, [command]);
  }
  return byCall;
}

/** Notes the branches, commits and tags that the commands of one call showed. */
function recordShown(options: {
  group: readonly GitCommand[];
  /** Place of the last of them. */
  index: number;
  history: { past: Set<string>; own: Map<string, number>; current: Set<string>; pastTags: Set<string> };
  /** True once a command may have given HEAD commits that it had not at the beginning. */
  isMoved: boolean;
}): void {
  const { group, index, history, isMoved } = options;
  const observation = group[0]?.event.call.observation.slice(0, longestObservation) ?? '';
  for (const [, name] of observation.matchAll(/^(?:\* |On branch |## )([\w./-]+?)(?:\.\.\.|$|\s)/gm)) if (name) history.current.add(name);
  for (const [, hash = ''] of observation.matchAll(/^\[[^\]\n]{1,80} ([0-9a-f]{7,40})\]/gm)) history.own.set(hash.slice(0, 7), index);
  const isPlain = group.every((command) => !command.has(farOption) && walksFromHead(command));
  if (!isPlain || isMoved || !group.some(({ verb }) => walkers.test(verb))) return;
  addHashes(observation, history.past);
  for (const [, tag = ''] of observation.matchAll(/\btag: ([^,)\s]+)/g)) history.pastTags.add(tag);
}

function addHashes(text: string, hashes: Set<string>): void {
  for (const [hash] of text.matchAll(/\b[0-9a-f]{7,40}\b/g)) hashes.add(hash.slice(0, 7));
}

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

function projectVersion({ task }: AuditSubject): readonly number[] | undefined {
  for (const path of ['package.json', 'pyproject.toml', 'setup.cfg', 'setup.py', 'Cargo.toml']) {
    const version = /(?:^|[\s"'{,])version["']?\s*[:=]\s*["']?v?(\d+(?:\.\d+)+)/m.exec((task.files.get(path) ?? '').slice(0, 20_000))?.[1];
    if (version !== undefined) return version.split('.').map(Number);
  }
  return undefined;
}
