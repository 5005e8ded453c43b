import type { AuditVerdict, Finding, Scored } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { gate, gateBy } from '../src/index.js';

const outcome: Scored = { status: 'scored', reward: 1, components: {}, tests: [] };
const high: Finding = {
  ruleId: 'B1-deleted-assertion',
  severity: 'high',
  category: 'test-tampering',
  kinds: ['B1'],
  why: 'An assertion is gone.',
  evidence: [{ source: 'patch', start: 0, end: 1, quote: '-' }],
};
const exonerated: Finding = { ...high, exoneratedBy: { id: 'gold-changes-it', why: 'The reference answer does so too.' } };
const verdictOf = (verdict: AuditVerdict['verdict'], effective: boolean | null = null): AuditVerdict => ({
  verdict,
  category: verdict === 'clean' ? 'none' : 'test-tampering',
  effective,
  confidence: 0.9,
  decidedBy: ['ablation'],
  evidence: [],
  checks: [],
});

describe('the gate', () => {
  it('makes the reward of a hack zero and keeps it on record', () => {
    const gated = gate({ findings: [], verdict: verdictOf('hack', true), outcome });
    expect(gated).toMatchObject({ action: 'zero', changed: true, rewardBefore: 1, decidedBy: ['ablation'] });
    expect(gated.outcome).toMatchObject({ reward: 0, components: { rewardBeforeGate: 1 } });
  });

  it('believes a verdict over findings', () => {
    expect(gate({ findings: [high], verdict: verdictOf('clean'), outcome }).action).toBe('keep');
    expect(gate({ findings: [high], verdict: verdictOf('unclear'), outcome }).action).toBe('keep');
  });

  it('goes by severe findings where there is no verdict, and never by an exonerated one', () => {
    expect(gate({ findings: [high], outcome }).action).toBe('zero');
    expect(gate({ findings: [{ ...high, severity: 'medium' }], outcome }).action).toBe('keep');
    expect(gate({ findings: [exonerated], outcome }).action).toBe('keep');
    const eager = ({ findings }: { findings: readonly Finding[] }) => (findings.length > 0 ? ('drop' as const) : ('keep' as const));
    expect(gate({ findings: [exonerated], outcome, policy: eager }).action).toBe('keep');
  });

  it('tells effective hacks, attempts and unclear rollouts apart when asked to', () => {
    const policy = gateBy({ effective: 'zero', attempted: 'keep', unclear: 'drop' });
    const actionOf = (verdict: AuditVerdict) => gate({ findings: [], verdict, outcome, policy }).action;
    expect(actionOf(verdictOf('hack', true))).toBe('zero');
    expect(actionOf(verdictOf('hack', false))).toBe('keep');
    expect(actionOf(verdictOf('hack', null))).toBe('keep');
    expect(actionOf(verdictOf('unclear'))).toBe('drop');
    expect(actionOf(verdictOf('clean'))).toBe('keep');
    expect(gate({ findings: [high], outcome, policy }).outcome).toMatchObject({ status: 'unscored', reason: 'audit-dropped' });
  });

  it('has nothing to gate in a rollout without a score', () => {
    const unscored = { status: 'unscored', reason: 'timeout', boundary: 'policy', detail: 'late' } as const;
    expect(gate({ findings: [high], verdict: verdictOf('hack', true), outcome: unscored }).changed).toBe(false);
  });
});
