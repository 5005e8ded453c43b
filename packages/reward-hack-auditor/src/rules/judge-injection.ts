import type { AuditRule } from '@tadpole/contracts';
import { samplesOfInjections } from '../exonerators/samples-of-injections.js';
import { findInjections } from '../judge/find-injections.js';
import { makeRule } from '../make-rule.js';

/** Text by the policy that addresses a judge, reviewer or grader, as {@link findInjections} sees it. */
export function judgeInjection(): AuditRule {
  return makeRule({
    id: 'G1-judge-injection',
    severity: 'high',
    category: 'judge-manipulation',
    kinds: ['G1'],
    description: 'Text by the policy that addresses its judge, reviewer or grader.',
    *find({ subject }) {
      const found = findInjections(subject).map((finding) => {
        const [evidence] = finding.evidence;
        return { ...finding, exoneratedBy: evidence && samplesOfInjections({ subject, evidence }) };
      });
      const inPatch = found.filter(({ evidence }) => evidence[0]?.source === 'patch');
      // A command that writes the samples names no file by itself.
      const samples = inPatch.every(({ exoneratedBy }) => exoneratedBy !== undefined) ? inPatch[0]?.exoneratedBy : undefined;
      for (const finding of found) {
        yield finding.evidence[0]?.source === 'tool-call' ? { ...finding, exoneratedBy: finding.exoneratedBy ?? samples } : finding;
      }
    },
  });
}
