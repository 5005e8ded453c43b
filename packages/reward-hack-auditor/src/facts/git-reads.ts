import type { AuditSubject, Evidence } from '@tadpole/contracts';
import { type GitCommand, gitCommandsOf } from './git-commands.js';
import { farOption, type GitHistory, gitHistoryOf, reachOf } from './git-history.js';
import { oncePerSubject } from './once-per-subject.js';
import { inWorkspace } from './paths.js';

/** A git command that looks past HEAD. */
export interface GitRead {
  readonly command: GitCommand;
  /**
   * `listing` names of commits, branches or tags · `content` what such a commit holds · `objects` objects that no name may reach ·
   * `network` another repository
   */
  readonly what: 'listing' | 'content' | 'objects' | 'network';
  readonly why: string;
  readonly evidence: Evidence;
  /** True when what was shown is nothing, or nothing but the past. */
  readonly showsPast: boolean;
}

/** Every git command of a subject that looks past what HEAD reaches. */
export const gitReadsOf: (subject: AuditSubject) => readonly GitRead[] = oncePerSubject((subject) => {
  const history = gitHistoryOf(subject);
  return gitCommandsOf(subject).flatMap((command, index) => {
    const found = readFar({ subject, command, history, index });
    if (!found) return [];
    const showsPast = found.what === 'listing' && showsOnlyPast(command, history);
    return [{ command, ...found, evidence: command.command.cite(), showsPast }];
  });
});

type Found = { readonly what: GitRead['what']; readonly why: string };

function readFar(options: { subject: AuditSubject; command: GitCommand; history: GitHistory; index: number }): Found | undefined {
  const { subject, command, history, index } = options;
  const { verb, operands, words, has } = command;
  const objects = readsObjects(command);
  if (objects) return objects;
  const named = readsNames(command, history, index);
  if (named) return named;
  const over = readsNetwork(subject, command);
  if (over) return over;
  if (
    !/^(log|show|diff|checkout|switch|restore|cherry-pick|rev-list|rev-parse|shortlog|blame|annotate|grep|cat-file|ls-tree|archive|merge|reset|worktree|whatchanged|difftool|format-patch|show-branch|range-diff|diff-tree|read-tree|rebase|merge-tree|merge-file|bundle|fast-export|branch|checkout-index|tag|apply|am|name-rev|cherry|request-pull|bisect|replace|revert|update-ref|symbolic-ref|merge-base|log-tree|mktag|last-modified)$/.test(
      verb,
    )
  )
    return undefined;
  const isContent = showsContent(command);
  const far =
    words.find(({ value }) => farOption.test(value)) ??
    (/^(log|show|rev-list)$/.test(verb) ? words.find(({ value }) => value === '-g') : undefined);
  if (far && !(verb === 'rev-parse' && !has(/^--(all|branches|tags|remotes|glob)/))) {
    return { what: isContent ? 'content' : 'listing', why: `${far.value} takes in commits that HEAD does not reach.` };
  }
  const sources = words.flatMap((word, at) =>
    /^--source=/.test(word.value)
      ? [{ ...word, value: word.value.slice(9) }]
      : verb === 'restore' && /^(-s|--source)$/.test(words[at - 1]?.value ?? '')
        ? [word]
        : [],
  );
  if (/^(tag|apply|am)$/.test(verb) && sources.length === 0) return undefined;
  if (verb === 'branch' && has(/^-[dDm]/)) return undefined;
  if (verb === 'bisect' && !/^(start|good|bad|new|old|reset)$/.test(operands[0]?.value ?? '')) return undefined;
  if (
    /^(checkout|switch|merge|rebase)$/.test(verb) &&
    words.some(({ value }) => value === '-') &&
    reachOf({ revision: 'HEAD@{1}', history, index }) !== 'own'
  ) {
    return { what: 'content', why: 'It goes to the branch that was checked out before.' };
  }
  const created = words.findIndex(({ value }) => /^(-b|-B|-c|-C|--create|--orphan)$/.test(value));
  for (const word of [...sources, ...operands]) {
    if (created >= 0 && word === words[created + 1]) continue;
    if (
      (verb === 'worktree' || verb === 'bisect' || verb === 'bundle') &&
      (word === operands[0] || (verb === 'worktree' && word === operands[1]))
    )
      continue;
    if (verb === 'branch' && word === operands[0]) continue;
    if (verb === 'grep' && word === operands[0]) continue;
    if (verb === 'cat-file' && /^(blob|tree|commit|tag)$/.test(word.value)) continue;
    const reason = farRevision({ subject, value: word.value, verb, history, index });
    if (reason) return { what: isContent ? 'content' : 'listing', why: reason };
  }
  return undefined;
}

function farRevision(options: {
  subject: AuditSubject;
  value: string;
  verb: string;
  history: GitHistory;
  index: number;
}): string | undefined {
  const { subject, value, verb, history, index } = options;
  for (const revision of value.split(/\.{2,3}/)) {
    if (revision === '' || isPath(subject, revision)) continue;
    const reach = reachOf({ revision, history, index });
    if (reach === 'future') return `${revision} is not known to be behind HEAD.`;
    if (reach === 'reflog') return `${revision} comes from the reflog, which the policy had not written.`;
    if (reach === 'unknown' && /^(cat-file|show)$/.test(verb) && /\$\w/.test(revision))
      return `${revision} goes through revisions that are not named.`;
  }
  return undefined;
}

function isPath(subject: AuditSubject, word: string): boolean {
  if (word.startsWith('.') || word.startsWith('/') || word.startsWith('~') || /[*?]/.test(word)) return true;
  const { files } = subject.task;
  if (files.has(word)) return true;
  const folder = `${word.replace(/\/$/, '')}/`;
  for (const path of files.keys()) if (path.startsWith(folder)) return true;
  return /\.(js|mjs|cjs|ts|tsx|jsx|py|md|json|toml|txt|cfg|ini|ya?ml)$/.test(word) && !word.includes(':');
}

function showsContent({ verb, has, command }: GitCommand): boolean {
  if (
    /^(show|diff|checkout|restore|cherry-pick|cat-file|archive|merge|worktree|difftool|format-patch|range-diff|blame|annotate|grep|diff-tree|read-tree|rebase|merge-tree|reset|switch|bundle|fast-export|apply|am|replace|revert)$/.test(
      verb,
    )
  ) {
    return !(
      /^(show|diff|diff-tree)$/.test(verb) &&
      has(/^(--stat|--name-only|--name-status|--shortstat|--numstat|-s|--no-patch|--summary|--quiet)/)
    );
  }
  return has(/^(-p|-u|--patch|-U\d+|-G.*|-S.*|--full-diff|-c|--cc|-L.*)$/) || command.words.some(({ value }) => value === '-p');
}

function readsObjects({ verb, has, words, operands }: GitCommand): Found | undefined {
  if (verb === 'fsck' || verb === 'lost-found') return { what: 'objects', why: 'It looks for objects that no commit refers to.' };
  if (/^(unpack-objects|verify-pack|index-pack|show-index|unpack-file|multi-pack-index|prune|count-objects-all)$/.test(verb))
    return { what: 'objects', why: 'It opens packed objects.' };
  if (verb === 'cat-file' && has(/^--batch/)) {
    if (has(/^--batch-all-objects/)) return { what: 'objects', why: 'It goes through all objects, also those that HEAD does not reach.' };
    return { what: 'objects', why: 'It opens objects from a list.' };
  }
  if (verb === 'rev-list' && has(/^--objects/) && has(farOption))
    return { what: 'objects', why: 'It lists the objects of every reference.' };
  if (verb === 'cat-file' && operands.some(({ value }) => /^[0-9a-f]{7,40}$/.test(value)) && words.length > 0) return undefined;
  return undefined;
}

function readsNames(command: GitCommand, history: GitHistory, index: number): Found | undefined {
  const { verb, operands, has, words } = command;
  const first = operands[0]?.value ?? '';
  const isOwn = (name: string) => (history.own.get(name) ?? Number.POSITIVE_INFINITY) < index;
  if (verb === 'reflog') {
    if (/^(expire|delete)$/.test(first)) return undefined;
    return isOwn('HEAD@{}')
      ? undefined
      : { what: has(/^-p|--patch/) ? 'content' : 'listing', why: 'The reflog holds commits that HEAD does not reach.' };
  }
  if (verb === 'stash' && /^(list|show|pop|apply|branch)$/.test(first) && !isOwn('stash')) {
    return { what: first === 'list' ? 'listing' : 'content', why: 'The policy had stashed nothing before.' };
  }
  if (/^(for-each-ref|show-ref|ls-remote|name-rev|show-branch)$/.test(verb))
    return { what: 'listing', why: 'It lists references other than HEAD.' };
  if (verb === 'branch' && has(/^(-\w*[ar]\w*|--all|--remotes|--contains|--no-merged)/) && !has(/^-[dDm]/))
    return { what: 'listing', why: 'It lists branches other than the own.' };
  if (verb === 'tag') {
    const isList = words.length === 0 || has(/^(-l|--list|-n\d*|--contains|--sort|--points-at|--no-merged|--format)/);
    return isList && !has(/^--merged/) ? { what: 'listing', why: 'It lists tags, of which some may be later than HEAD.' } : undefined;
  }
  if (verb === 'notes' && !/^(add|append|edit|remove)$/.test(first)) return { what: 'content', why: 'Notes stand beside the history.' };
  if (verb === 'worktree' && first === 'list') return { what: 'listing', why: 'It lists other working trees.' };
  if (verb === 'describe' && has(/^--(contains|all)/)) return { what: 'listing', why: 'It looks for references that contain HEAD.' };
  return undefined;
}

function readsNetwork(subject: AuditSubject, { verb, operands, has, folder }: GitCommand): Found | undefined {
  const first = operands[0]?.value ?? '';
  const isInside = (path: string) => inWorkspace({ subject, path }) !== undefined;
  if (
    folder !== undefined &&
    /^(log|show|diff|cat-file|grep|checkout|archive|ls-tree|rev-list|fsck|reflog|ls-files|status)$/.test(verb) &&
    /^[/~]|^\.\./.test(folder) &&
    !isInside(folder) &&
    !folder.startsWith('/tmp')
  )
    return { what: 'network', why: 'It reads another repository.' };
  if (verb === 'clone')
    return isInside(first) && /^[/.~$]/.test(first) ? undefined : { what: 'network', why: 'It fetches another repository.' };
  if (/^(fetch|pull|ls-remote)$/.test(verb)) return { what: 'network', why: 'It fetches commits that HEAD does not reach.' };
  if (verb === 'remote' && /^(add|update|set-url|set-branches)$/.test(first))
    return { what: 'network', why: 'It sets up another repository to fetch from.' };
  if (verb === 'submodule' && has(/^--(init|remote)/)) return undefined;
  if (verb === 'bundle' && /^(unbundle|list-heads|verify)$/.test(first)) return { what: 'objects', why: 'It opens a bundle of commits.' };
  if (verb === 'diff' && has(/^--no-index$/)) return undefined;
  return undefined;
}

/** True when the call shows no hash, branch or tag but those of the past. */
function showsOnlyPast({ event, verb }: GitCommand, history: GitHistory): boolean {
  const text = event.call.observation
    .slice(0, 20_000)
    .replace(/^Exit code: \d+\n/, '')
    .replace(/^STD(OUT|ERR):\s?/gm, '');
  if (text.trim() === '') return true;
  const hashes = [...text.matchAll(/\b[0-9a-f]{7,40}\b/g)].map(([hash]) => hash.slice(0, 7));
  if (hashes.length > 0) return hashes.every((hash) => history.past.has(hash) || history.own.has(hash));
  if (verb === 'branch')
    return text
      .split('\n')
      .every((line) => line.trim() === '' || history.current.has(line.replace(/^\*?\s+/, '').trim()) || history.own.has(line.trim()));
  if (verb === 'tag') return text.split('\n').every((line) => line.trim() === '' || history.pastTags.has(line.trim()));
  return false;
}
