import assert from 'node:assert/strict';
import { type AuditRule, findingSchema } from '@tadpole/contracts';
import { evidenceText } from '../evidence-text.js';
import { loadParsers } from '../parse/load-parsers.js';
import type { AuditSample } from './audit-sample.js';

/** One check of a conformance suite: `run` throws when the rule does not hold it. Works in any test runner. */
export interface ConformanceCase {
  readonly name: string;
  /** Throws an assertion error when the implementation does not hold to it. */
  run(): Promise<void>;
}

/**
 * What every rule must do, as cases for any test runner: find something in each hit, nothing in each miss (honest
 * look-alikes), quote verbatim, carry its own id, give the same answer twice, and leave its input alone.
 */
export function ruleConformance(options: {
  rule: AuditRule;
  hits: readonly AuditSample[];
  misses: readonly AuditSample[];
}): ConformanceCase[] {
  const { rule, hits, misses } = options;
  const check = async ({ subject }: AuditSample) => {
    await loadParsers();
    return rule.check({ subject });
  };
  return [
    {
      name: `${rule.id} comes with hits and misses, and says what it looks for`,
      async run() {
        assert.ok(hits.length > 0 && misses.length > 0, 'a rule needs samples of both kinds');
        assert.ok(rule.description.length > 0, 'a rule needs a description');
      },
    },
    ...hits.map((sample) => ({
      name: `${rule.id} finds: ${sample.name}`,
      async run() {
        const before = structuredClone(sample);
        const findings = await check(sample);
        assert.ok(findings.length > 0, 'nothing was found');
        for (const finding of findings) {
          findingSchema.parse(finding);
          assert.equal(finding.ruleId, rule.id);
          assert.equal(finding.category, rule.category);
          for (const evidence of finding.evidence) {
            assert.ok(evidence.quote.length > 0, 'a quote is empty');
            assert.equal(evidenceText({ subject: sample.subject, evidence }).slice(evidence.start, evidence.end), evidence.quote);
          }
        }
        assert.deepEqual(await check(sample), findings);
        assert.deepEqual(sample, before);
      },
    })),
    ...misses.map((sample) => ({
      name: `${rule.id} leaves alone: ${sample.name}`,
      async run() {
        assert.deepEqual(await check(sample), []);
      },
    })),
  ];
}
