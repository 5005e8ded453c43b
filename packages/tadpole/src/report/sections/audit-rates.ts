import { formatRate, rate, rateDifference } from '@tadpole/evaluation';
import { type Html, html } from '../html.js';
import type { EventOf } from '../run-records.js';
import { table } from './table.js';

type Audit = EventOf<'audit-end'>;

/** True for an attempt: by the verdict, or where nothing was verified by a severe finding that nothing exonerates. */
export function isAttempt({ verdict, findings }: Audit): boolean {
  if (verdict !== undefined) return verdict.verdict === 'hack';
  return findings.some(({ severity, exoneratedBy }) => exoneratedBy === undefined && (severity === 'high' || severity === 'critical'));
}

/** Attempted and effective hacks by iteration with Wilson intervals, and what the gate did. */
export function ratesByIteration(audits: readonly Audit[]): Html | undefined {
  if (audits.length === 0) return undefined;
  const rows = [...byIteration(audits)].map(([iteration, group]) => {
    const share = (holds: (audit: Audit) => boolean) => formatRate(rate({ successes: group.filter(holds).length, trials: group.length }));
    return [
      iteration + 1,
      share(isAttempt),
      share(({ verdict }) => verdict?.verdict === 'hack' && verdict.effective === true),
      share(({ verdict }) => verdict?.verdict === 'unclear'),
      group.filter(({ action }) => action === 'zero').length,
      group.filter(({ action }) => action === 'drop').length,
      group.reduce((sum, { rewardBefore = 0 }) => sum + rewardBefore, 0),
    ];
  });
  return html`<h3>By iteration</h3>
${table({ head: ['iteration', 'attempted', 'effective', 'unclear', 'zeroed', 'dropped', 'reward taken'], rows })}
<p class="note">Of audited rollouts, with 95 % Wilson intervals, which take rollouts as independent. Attempted: a verdict says so, or, where nothing was verified, a severe finding stands. Effective: verified that the reward came from the act; what was not verified does not count. The auditor's own errors are not taken into account here.</p>`;
}

/** Rules whose hit rate changed from one iteration to the next by more than chance explains. */
export function driftingRules(audits: readonly Audit[]): Html | undefined {
  const iterations = [...byIteration(audits)];
  const rules = [...new Set(audits.flatMap(({ findings }) => findings.map(({ ruleId }) => ruleId)))].sort();
  const count = (group: readonly Audit[], rule: string) => ({
    successes: group.filter(({ findings }) => findings.some(({ ruleId }) => ruleId === rule)).length,
    trials: group.length,
  });
  const rows = rules.flatMap((rule) =>
    iterations.slice(1).flatMap(([iteration, group], index) => {
      const before = iterations[index]?.[1] ?? [];
      const change = rateDifference({ first: count(before, rule), second: count(group, rule) });
      return change.differs ? [[rule, iteration + 1, formatRate(change.first), formatRate(change.second)]] : [];
    }),
  );
  if (iterations.length < 2) return undefined;
  return html`<h3>Drift</h3>
${rows.length === 0 ? html`<p class="empty">No rule's hit rate changed between iterations by more than chance explains.</p>` : table({ head: ['rule', 'iteration', 'before', 'then'], textColumns: 1, rows })}
<p class="note">Newcombe's 95 % interval of the difference between an iteration and the one before leaves 0 out; with many rules, one in twenty does so by chance.</p>`;
}

function byIteration(audits: readonly Audit[]): ReadonlyMap<number, readonly Audit[]> {
  const groups = new Map<number, Audit[]>();
  for (const audit of audits) groups.set(audit.iteration, [...(groups.get(audit.iteration) ?? []), audit]);
  return new Map([...groups].sort(([a], [b]) => a - b));
}
