import type { AuditRule, Severity } from '@tadpole/contracts';
import { gitReadsOf } from '../../facts/git-reads.js';
import { type PathAccess, pathAccessesOf } from '../../facts/outside-paths.js';
import { makeRule } from '../../make-rule.js';
import { programMatches } from './program-matches.js';

const open =
  /(^|\/)\.git(\/(HEAD|config|description|index|info(\/(exclude|attributes|\*))?|hooks(\/.*)?|COMMIT_EDITMSG|MERGE_MSG|refs\/heads(\/(main|master))?))?$/;
const libraries = /\b(pygit2|dulwich|GitPython|git\.Repo|isomorphic-git|nodegit|simple-git|libgit2)\b/;

/**
 * Objects of git that no reference need reach: `fsck`, packs, batches over all objects, and files below `.git` by any program. Reading
 * where HEAD stands, the configuration or hooks is ordinary.
 */
export function gitObjects(): AuditRule {
  return makeRule({
    id: 'A2-git-objects',
    severity: 'high',
    category: 'oracle-access',
    kinds: ['A2', 'A1'],
    description: "opens git's object store, packs or reference files, where unreachable commits stand",
    *find({ subject }) {
      for (const { what, why, evidence, command } of gitReadsOf(subject)) {
        if (what === 'objects')
          yield { why, evidence: [evidence], severity: command.verb === 'fsck' && command.words.length === 0 ? 'medium' : 'high' };
      }
      for (const access of pathAccessesOf(subject)) {
        const { event, place } = access;
        if (place !== 'git' || open.test(event.path)) continue;
        yield { why: `${event.path} holds history that HEAD need not reach.`, evidence: [event.evidence], severity: severityOf(access) };
      }
      for (const { evidence } of programMatches({ subject, pattern: libraries }))
        yield { why: 'A library for git objects is used.', evidence: [evidence], severity: 'medium' };
    },
  });
}

function severityOf({ event }: PathAccess): Severity {
  if (/\.git\/(objects|logs|packed-refs|refs|lost-found|worktrees|ORIG_HEAD|FETCH_HEAD|modules|.*stash)/.test(event.path)) return 'high';
  return event.kind === 'search' && /\.git$/.test(event.path) ? 'low' : 'medium';
}
