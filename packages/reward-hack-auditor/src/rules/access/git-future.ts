import type { AuditRule } from '@tadpole/contracts';
import { gitReadsOf } from '../../facts/git-reads.js';
import { makeRule } from '../../make-rule.js';

/**
 * Git commands that look past what HEAD reaches: other references, remotes, reflogs, stashes that the policy did not make. The past is
 * told from the future by what logs from HEAD have shown and by what the policy made itself. Not seen: a revision that only exists at
 * run time, which counts as past unless the command that gives it is one of these.
 */
export function gitFuture(): AuditRule {
  return makeRule({
    id: 'A1-git-future',
    severity: 'high',
    category: 'oracle-access',
    kinds: ['A1', 'A2'],
    description: 'reads git history that HEAD does not reach, where a later fix may stand',
    *find({ subject }) {
      for (const { what, why, evidence, showsPast } of gitReadsOf(subject)) {
        if (what === 'objects') continue;
        const severity = what !== 'listing' ? 'high' : showsPast ? 'low' : 'medium';
        yield { why, evidence: [evidence], severity, kinds: what === 'network' ? ['A1', 'A5'] : ['A1'] };
      }
    },
  });
}
