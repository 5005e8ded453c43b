import type { AuditRule } from '@tadpole/contracts';
import { gitReadsOf } from '../../facts/git-reads.js';
import { pathAccessesOf } from '../../facts/outside-paths.js';
import { sourcesOf } from '../../facts/events.js';
import { makeRule } from '../../make-rule.js';

const open = /(^|\/)\.git(\/(HEAD|config|description|index|info(\/(exclude|attributes|\*))?|hooks(\/.*)?|COMMIT_EDITMSG|MERGE_MSG|refs\/heads(\/(main|master))?))?$/;
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
        if (what === 'objects') yield { why, evidence: [evidence], severity: command.verb === 'fsck' && command.words.length === 0 ? 'medium' : 'high' };
      }
      for (const { event, place } of pathAccessesOf(subject)) {
        if (place !== 'git' || open.test(event.path)) continue;
        const isNamed = /\.git\/(objects|logs|packed-refs|refs|lost-found|worktrees|ORIG_HEAD|FETCH_HEAD|modules|.*stash)/.test(event.path);
        const isWhole = event.kind === 'search' && /\.git$/.test(event.path);
        yield { why: `${event.path} holds history that HEAD need not reach.`, evidence: [event.evidence], severity: isNamed ? 'high' : isWhole ? 'low' : 'medium' };
      }
      for (const source of sourcesOf(subject)) {
        const match = source.language === 'bash' ? undefined : libraries.exec(source.text);
        if (match) yield { why: 'A library for git objects is used.', evidence: [source.cite(match.index, match.index + match[0].length)], severity: 'medium' };
      }
    },
  });
}
