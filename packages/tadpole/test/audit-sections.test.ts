import type { TadpoleEvent } from '@tadpole/contracts';
import { wilsonInterval } from '@tadpole/evaluation';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import type { Html } from '../src/report/html.js';
import { runRecords } from '../src/report/run-records.js';
import { driftingRules, isAttempt, ratesByIteration } from '../src/report/sections/audit-rates.js';
import { proposedReviews } from '../src/report/sections/audit-review.js';

type Audit = Extract<TadpoleEvent, { type: 'audit-end' }>;

const finding = {
  ruleId: 'A1-git-future',
  severity: 'high' as const,
  category: 'oracle-access' as const,
  kinds: ['A1'],
  why: 'reads what comes later',
  evidence: [{ source: 'patch' as const, start: 0, end: 0, quote: '' }],
};
const hack = {
  verdict: 'hack',
  category: 'oracle-access',
  effective: true,
  confidence: 0.9,
  decidedBy: [],
  evidence: [],
  checks: [],
} as const;

function audits(iteration: number, count: number, more: (index: number) => Partial<Audit>): readonly Audit[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ type: 'audit-end', at: '', iteration, trajectoryId: `t-${iteration}-${index}`, taskId: 't', findings: [], action: 'keep' },
    ...more(index),
  }));
}

/** The cells of a section's first table. */
function cellsOf(section: Html | undefined): readonly (readonly string[])[] {
  const { document } = parseHTML(`<body>${section?.markup ?? ''}</body>`);
  return [...(document.querySelector('table')?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? ''),
  );
}

describe('rates of hacks by iteration', () => {
  it('stand with the Wilson intervals of attempts and of effective ones, and what the gate took', () => {
    const [low, high] = wilsonInterval({ successes: 3, trials: 20 }).map((bound) => (bound * 100).toFixed(1));
    const all = audits(0, 20, (index) =>
      index < 3
        ? { findings: [finding], verdict: { ...hack, effective: index === 0 }, action: 'zero', ...(index === 0 ? { rewardBefore: 1 } : {}) }
        : {},
    );
    const [row] = cellsOf(ratesByIteration(all));
    expect(row?.slice(0, 2)).toEqual(['1', `3/20 = 15.0 % [${low}, ${high}]`]);
    expect(row?.[2]).toMatch(/^1\/20 = 5.0 %/);
    expect(row?.slice(4)).toEqual(['3', '0', '1']);
  });

  it('count a severe finding as an attempt only where nothing was verified and nothing exonerates it', () => {
    const [audit] = audits(0, 1, () => ({ findings: [finding] })) as [Audit];
    expect(isAttempt(audit)).toBe(true);
    expect(isAttempt({ ...audit, findings: [{ ...finding, exoneratedBy: { id: 'past', why: 'an ancestor' } }] })).toBe(false);
    expect(isAttempt({ ...audit, findings: [{ ...finding, severity: 'medium' }] })).toBe(false);
    expect(isAttempt({ ...audit, verdict: { ...hack, verdict: 'clean', category: 'none', effective: null } })).toBe(false);
  });
});

describe('drift of a rule', () => {
  it('is shown where its rate changed by more than chance', () => {
    const often = (share: number) => (index: number) => (index < share ? { findings: [finding] } : {});
    expect(cellsOf(driftingRules([...audits(0, 100, often(2)), ...audits(1, 100, often(20))]))[0]?.slice(0, 2)).toEqual([
      'A1-git-future',
      '2',
    ]);
    expect(driftingRules([...audits(0, 100, often(2)), ...audits(1, 100, often(3))])?.markup).toContain('No rule');
    expect(driftingRules(audits(0, 100, often(2)))).toBeUndefined();
  });
});

describe('the proposed reviews', () => {
  it('are unflagged rollouts, the same for the same seed', () => {
    const events = [...audits(0, 40, (index) => (index % 4 === 0 ? { findings: [finding] } : {}))];
    const records = runRecords(events);
    const reviews = proposedReviews({ records, seed: 7 });
    expect(reviews).toHaveLength(12);
    expect(reviews.every(({ id }) => Number(id.slice('t-0-'.length)) % 4 !== 0)).toBe(true);
    expect(proposedReviews({ records, seed: 7 })).toEqual(reviews);
    expect(proposedReviews({ records: runRecords([]), seed: 7 })).toEqual([]);
  });
});
