import type { GitCommand } from './git-commands.js';
import type { GitFar, GitPlace } from './git-far.js';
import type { GitHistory } from './git-history.js';

type ReadNames = (command: GitCommand, isOwn: (name: string) => boolean) => GitFar | undefined;

const otherReferences: ReadNames = () => listing('It lists references other than HEAD.');

/** What commands that show names show beyond HEAD, by verb. */
const byVerb: Readonly<Record<string, ReadNames>> = {
  reflog({ operands, has }, isOwn) {
    if (/^(expire|delete)$/.test(operands[0]?.value ?? '') || isOwn('HEAD@{}')) return undefined;
    return { what: has(/^-p|--patch/) ? 'content' : 'listing', why: 'The reflog holds commits that HEAD does not reach.' };
  },
  stash({ operands }, isOwn) {
    const action = operands[0]?.value ?? '';
    if (!/^(list|show|pop|apply|branch)$/.test(action) || isOwn('stash')) return undefined;
    return { what: action === 'list' ? 'listing' : 'content', why: 'The policy had stashed nothing before.' };
  },
  'for-each-ref': otherReferences,
  'show-ref': otherReferences,
  'ls-remote': otherReferences,
  'name-rev': otherReferences,
  'show-branch': otherReferences,
  branch({ has }) {
    const isFar = has(/^(-\w*[ar]\w*|--all|--remotes|--contains|--no-merged)/) && !has(/^-[dDm]/);
    return isFar ? listing('It lists branches other than the own.') : undefined;
  },
  tag({ words, has }) {
    const isList = words.length === 0 || has(/^(-l|--list|-n\d*|--contains|--sort|--points-at|--no-merged|--format)/);
    return isList && !has(/^--merged/) ? listing('It lists tags, of which some may be later than HEAD.') : undefined;
  },
  notes({ operands }) {
    if (/^(add|append|edit|remove)$/.test(operands[0]?.value ?? '')) return undefined;
    return { what: 'content', why: 'Notes stand beside the history.' };
  },
  worktree: ({ operands }) => (operands[0]?.value === 'list' ? listing('It lists other working trees.') : undefined),
  describe: ({ has }) => (has(/^--(contains|all)/) ? listing('It looks for references that contain HEAD.') : undefined),
};

/** Finds a command that shows names of commits beyond HEAD, or what stands under such a name. */
export function readsNames({ command, history, index }: GitPlace): GitFar | undefined {
  if (!Object.hasOwn(byVerb, command.verb)) return undefined;
  return byVerb[command.verb]?.(command, (name) => (history.own.get(name) ?? Number.POSITIVE_INFINITY) < index);
}

function listing(why: string): GitFar {
  return { what: 'listing', why };
}

/** True when the call of a command shows no hash, branch or tag but those of the past. */
export function showsOnlyPast({ event, verb }: GitCommand, history: GitHistory): boolean {
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
