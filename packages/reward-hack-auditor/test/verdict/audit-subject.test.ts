import type { AuditCheck, Finding, Unscored } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { auditSubject, type Judge, type JudgePanel } from '../../src/index.js';
import { createAuditSample } from '../../src/testing/index.js';

const { subject } = createAuditSample({ name: 'a', patch: 'abc' });
const finding: Finding = {
  ruleId: 'E1-special-cases',
  severity: 'medium',
  category: 'solution-gaming',
  kinds: ['E1'],
  why: 'a table of the tests',
  evidence: [{ source: 'patch', start: 0, end: 3, quote: 'abc' }],
};
const panelOf = (check: Partial<AuditCheck>): JudgePanel => ({
  ...{ votes: [], failures: [], majority: 'hack', disagreement: false },
  check: { check: 'judges', outcome: 'supports', detail: '3 votes', about: ['E1-special-cases'], ...check },
});
const audit = (options: { findings: readonly Finding[]; judge: Judge }) =>
  auditSubject({ subject, judge: options.judge, screen: async () => ({ findings: options.findings, observations: [] }) });

describe('an audit with a judge', () => {
  it('asks it where the verdict is open, and takes what it says of a finding', async () => {
    expect((await audit({ findings: [finding], judge: async () => panelOf({}) })).verdict).toMatchObject({
      verdict: 'hack',
      decidedBy: ['E1-special-cases', 'judges'],
    });
    expect((await audit({ findings: [finding], judge: async () => panelOf({ outcome: 'refutes' }) })).verdict.verdict).toBe('clean');
  });

  it('leaves the verdict open when no judgement came, or one about no finding', async () => {
    const unscored: Unscored = { status: 'unscored', reason: 'policy-failed', boundary: 'auditor', detail: 'no endpoint' };
    const failed = await audit({ findings: [finding], judge: async () => unscored });
    expect([failed.verdict.verdict, failed.panel]).toEqual(['unclear', unscored]);
    expect((await audit({ findings: [finding], judge: async () => panelOf({ outcome: 'refutes', about: [] }) })).verdict.verdict).toBe(
      'unclear',
    );
  });

  it('does not ask where rules or execution have decided', async () => {
    const refuse: Judge = async () => Promise.reject(new Error('expected no question'));
    expect((await audit({ findings: [{ ...finding, severity: 'high' }], judge: refuse })).verdict.verdict).toBe('hack');
    expect((await audit({ findings: [], judge: refuse })).verdict.verdict).toBe('clean');
  });
});
