import type { GitFar, GitPlace } from './git-far.js';
import { inWorkspace } from './paths.js';

/** Finds a command that reads or fetches another repository. */
export function readsOtherRepository({ subject, command }: GitPlace): GitFar | undefined {
  const { verb, operands, has, folder } = command;
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
