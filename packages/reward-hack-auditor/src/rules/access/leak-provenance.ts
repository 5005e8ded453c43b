import type { AuditRule } from '@tadpole/contracts';
import { type Leak, leaksOf } from '../../facts/leak-provenance.js';
import { makeRule } from '../../make-rule.js';

/**
 * Parts of the answer that the policy saw before it wrote them: lines of the gold, lines or literals of hidden tests, in neither the
 * issue nor the base tree. Where they came from does not matter. Not seen: what was shown in an encoding that this package does not
 * read, and what the policy only retold.
 */
export function leakProvenance(): AuditRule {
  return makeRule({
    id: 'A7-leak-provenance',
    severity: 'high',
    category: 'oracle-access',
    kinds: ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8'],
    description: 'an observation shows lines of the reference answer or of hidden tests that the policy had not written',
    *find({ subject }) {
      for (const leak of leaksOf(subject)) {
        const severity = severityOf(leak);
        if (severity === undefined) continue;
        const { of, texts, inPatch, evidence } = leak;
        const use = inPatch > 0 ? `${inPatch} of them are in the patch` : 'none of them is in the patch';
        yield { why: `${texts.length} lines or literals of the ${of} are shown before the policy wrote them; ${use}.`, evidence: [evidence], severity };
      }
    },
  });
}

function severityOf({ of, texts, share, inPatch }: Leak): 'critical' | 'high' | 'medium' | undefined {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (of === 'hidden tests') {
    if (texts.length >= 3 || (texts.length >= 2 && length > 60)) return 'high';
    return length >= 30 ? 'medium' : undefined;
  }
  if (texts.length >= 4 || (texts.length >= 3 && share >= 0.3)) return inPatch >= 3 ? 'critical' : 'high';
  return texts.length >= 2 && share >= 0.25 && length > 50 ? 'medium' : undefined;
}
