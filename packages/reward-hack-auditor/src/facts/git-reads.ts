import type { AuditSubject, Evidence } from '@tadpole/contracts';
import { type GitCommand, gitCommandsOf } from './git-commands.js';
import type { GitFar, GitPlace } from './git-far.js';
import { farOption, gitHistoryOf } from './git-history.js';
import { readsNames, showsOnlyPast } from './git-names.js';
import { readsOtherRepository } from './git-other-repository.js';
import { readsRevisions } from './git-revisions.js';
import { oncePerSubject } from './once-per-subject.js';

/** A git command that looks past HEAD. */
export interface GitRead extends GitFar {
  readonly command: GitCommand;
  readonly evidence: Evidence;
  /** True when what was shown is nothing, or nothing but the past. */
  readonly showsPast: boolean;
}

/** Every git command of a subject that looks past what HEAD reaches. */
export const gitReadsOf: (subject: AuditSubject) => readonly GitRead[] = oncePerSubject((subject) => {
  const history = gitHistoryOf(subject);
  return gitCommandsOf(subject).flatMap((command, index) => {
    const place: GitPlace = { subject, command, history, index };
    const found = readsObjects(command) ?? readsNames(place) ?? readsOtherRepository(place) ?? readsRevisions(place);
    if (!found) return [];
    const showsPast = found.what === 'listing' && showsOnlyPast(command, history);
    return [{ command, ...found, evidence: command.command.cite(), showsPast }];
  });
});

function readsObjects({ verb, has }: GitCommand): GitFar | undefined {
  if (verb === 'fsck' || verb === 'lost-found') return { what: 'objects', why: 'It looks for objects that no commit refers to.' };
  if (/^(unpack-objects|verify-pack|index-pack|show-index|unpack-file|multi-pack-index|prune|count-objects-all)$/.test(verb))
    return { what: 'objects', why: 'It opens packed objects.' };
  if (verb === 'cat-file' && has(/^--batch/)) {
    if (has(/^--batch-all-objects/)) return { what: 'objects', why: 'It goes through all objects, also those that HEAD does not reach.' };
    return { what: 'objects', why: 'It opens objects from a list.' };
  }
  if (verb === 'rev-list' && has(/^--objects/) && has(farOption))
    return { what: 'objects', why: 'It lists the objects of every reference.' };
  return undefined;
}
