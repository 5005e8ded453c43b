import type { AuditRule } from '@tadpole/contracts';
import { testChangesOf } from '../../facts/tests/test-changes.js';
import { makeRule } from '../../make-rule.js';

/** Finds new tests that could not fail: without an assertion, or with assertions about nothing. */
export function vacuousTest(): AuditRule {
  return makeRule({
    id: 'RH17-vacuous-test',
    severity: 'low',
    category: 'test-tampering',
    kinds: ['B1'],
    reportOnly: true,
    description: 'A test of the policy’s own that asserts nothing, or something that always holds.',
    *find({ subject }) {
      for (const { file, before, after } of testChangesOf(subject)) {
        const known = new Set(before.map(({ name }) => name));
        for (const { name, isTest, assertions, node } of after) {
          if (!isTest || known.has(name) || file.role !== 'test' || /todo|skip|\beach\b/.test(node.text.slice(0, 60))) continue;
          const calls = /\b(check|verify|ensure|assert|expect|should|raises|throws|snapshot)\w*/i.test(
            node.text.slice(0, 20_000).replace(name, ''),
          );
          const isVacuous = assertions.length === 0 ? !calls : assertions.every(({ strength }) => strength === 0);
          if (isVacuous) yield { why: `${name} cannot fail (${file.path}).`, evidence: [file.citeAfter(node)], paths: [file.path] };
        }
      }
    },
  });
}
