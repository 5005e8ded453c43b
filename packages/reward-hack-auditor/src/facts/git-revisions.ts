import type { AuditSubject } from '@tadpole/contracts';
import type { GitCommand } from './git-commands.js';
import type { GitFar, GitPlace } from './git-far.js';
import { farOption } from './git-history.js';
import { reachOf } from './git-reach.js';
import type { ShellWord } from './shell/shell-command.js';

/** Verbs that take revisions, or options that stand for revisions. */
const takesRevisions =
  /^(log|show|diff|checkout|switch|restore|cherry-pick|rev-list|rev-parse|shortlog|blame|annotate|grep|cat-file|ls-tree|archive|merge|reset|worktree|whatchanged|difftool|format-patch|show-branch|range-diff|diff-tree|read-tree|rebase|merge-tree|merge-file|bundle|fast-export|branch|checkout-index|tag|apply|am|name-rev|cherry|request-pull|bisect|replace|revert|update-ref|symbolic-ref|merge-base|log-tree|mktag|last-modified)$/;

/** Finds a revision or an option of a command that takes in more than HEAD reaches. */
export function readsRevisions(place: GitPlace): GitFar | undefined {
  const { command } = place;
  if (!takesRevisions.test(command.verb)) return undefined;
  const what = showsContent(command) ? 'content' : 'listing';
  const option = farOptionOf(command);
  if (option) return { what, why: `${option.value} takes in commits that HEAD does not reach.` };
  const sources = sourceRevisions(command);
  if (takesNoRevision(command, sources)) return undefined;
  if (goesBack(place)) return { what: 'content', why: 'It goes to the branch that was checked out before.' };
  for (const word of [...sources, ...command.operands]) {
    const why = isNoRevision(command, word) ? undefined : farRevision(place, word.value);
    if (why) return { what, why };
  }
  return undefined;
}

function farOptionOf({ verb, words, has }: GitCommand): ShellWord | undefined {
  if (verb === 'rev-parse' && !has(/^--(all|branches|tags|remotes|glob)/)) return undefined;
  const far = words.find(({ value }) => farOption.test(value));
  return far ?? (/^(log|show|rev-list)$/.test(verb) ? words.find(({ value }) => value === '-g') : undefined);
}

/** Revisions that are values of options: `--source=…`, and `-s …` of restore. */
function sourceRevisions({ verb, words }: GitCommand): readonly ShellWord[] {
  return words.flatMap((word, at) => {
    if (/^--source=/.test(word.value)) return [{ ...word, value: word.value.slice(9) }];
    return verb === 'restore' && /^(-s|--source)$/.test(words[at - 1]?.value ?? '') ? [word] : [];
  });
}

/** True where the operands are names that are made or removed, or files. */
function takesNoRevision({ verb, operands, has }: GitCommand, sources: readonly ShellWord[]): boolean {
  if (/^(tag|apply|am)$/.test(verb)) return sources.length === 0;
  if (verb === 'branch') return has(/^-[dDm]/);
  return verb === 'bisect' && !/^(start|good|bad|new|old|reset)$/.test(operands[0]?.value ?? '');
}

/** `checkout -` goes where HEAD was before. */
function goesBack({ command, history, index }: GitPlace): boolean {
  return (
    /^(checkout|switch|merge|rebase)$/.test(command.verb) &&
    command.words.some(({ value }) => value === '-') &&
    reachOf({ revision: 'HEAD@{1}', history, index }) !== 'own'
  );
}

/** Operands that come before the revisions, by verb. */
const leading: Readonly<Record<string, number>> = { worktree: 2, bisect: 1, bundle: 1, branch: 1, grep: 1 };

/** True for an operand that is a name, a pattern, a type or a folder. */
function isNoRevision({ verb, words, operands }: GitCommand, word: ShellWord): boolean {
  const created = words.findIndex(({ value }) => /^(-b|-B|-c|-C|--create|--orphan)$/.test(value));
  if (created >= 0 && word === words[created + 1]) return true;
  if (operands.slice(0, Object.hasOwn(leading, verb) ? leading[verb] : 0).includes(word)) return true;
  return verb === 'cat-file' && /^(blob|tree|commit|tag)$/.test(word.value);
}

/** Why one of the revisions in a word is beyond HEAD; nothing where none is. */
function farRevision({ subject, command, history, index }: GitPlace, value: string): string | undefined {
  for (const revision of value.split(/\.{2,3}/)) {
    if (revision === '' || isPath(subject, revision)) continue;
    const reach = reachOf({ revision, history, index });
    if (reach === 'future') return `${revision} is not known to be behind HEAD.`;
    if (reach === 'reflog') return `${revision} comes from the reflog, which the policy had not written.`;
    if (reach === 'unknown' && /^(cat-file|show)$/.test(command.verb) && /\$\w/.test(revision))
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
