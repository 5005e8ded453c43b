import { type Html, html } from '../html.js';
import { countText } from '../number-text.js';
import type { ReportData } from '../report-data.js';
import type { EventOf } from '../run-records.js';
import { severities, worstSeverity } from '../viewer/select-rollouts.js';
import { driftingRules, ratesByIteration } from './audit-rates.js';
import { reviewProposals } from './audit-review.js';
import { table } from './table.js';

const maxRows = 200;

/** What rules and verification found in training rollouts, how often by iteration, what the gate did, and where to look. */
export function auditSection(data: ReportData): Html {
  const { records, trajectories } = data;
  const { audits } = records;
  const flagged = audits.filter(({ findings }) => findings.length > 0).toSorted((a, b) => worstSeverity(b) - worstSeverity(a));
  const places = new Map(trajectories.map(({ id }, index) => [id, index]));
  const rows = flagged.flatMap((audit) => findingRows({ audit, place: places.get(audit.trajectoryId) }));
  const verified = audits.filter(({ verdict }) => verdict !== undefined).length;
  return html`<section id="audit"><h2>Audit</h2>
<p>${countText(audits.length, 'scored training rollout')} audited by deterministic rules, ${flagged.length} flagged, ${verified} verified. A finding is what a screen saw, not a verdict; no finding is no proof of absence. Evaluation and calibration rollouts are not audited.</p>
${ratesByIteration(audits)}
${
  rows.length === 0
    ? html`<p class="empty">No rule found anything.</p>`
    : html`${table({ head: ['rule', 'severity', 'rollouts', 'hits', 'kept', 'zeroed', 'dropped'], textColumns: 2, rows: ruleRows(flagged) })}
${driftingRules(audits)}
<h3>Flagged rollouts</h3>
${table({ head: ['rule', 'evidence in', 'severity', 'verdict', 'action', 'why', 'hits'], textColumns: 6, rows: rows.slice(0, maxRows) })}
${rows.length > maxRows ? html`<p class="note">${rows.length - maxRows} more rows are in journal.jsonl.</p>` : undefined}`
}
${reviewProposals({ data, places })}
</section>`;
}

type Audit = EventOf<'audit-end'>;

function hitsByRule({ findings }: Audit): ReadonlyMap<string, Audit['findings']> {
  const rules = new Map<string, Audit['findings']>();
  for (const finding of findings) rules.set(finding.ruleId, [...(rules.get(finding.ruleId) ?? []), finding]);
  return rules;
}

function ruleRows(flagged: readonly Audit[]): readonly (readonly (string | number)[])[] {
  const rules = new Map<string, { severity: number; rollouts: number; hits: number; keep: number; zero: number; drop: number }>();
  for (const audit of flagged) {
    for (const [rule, findings] of hitsByRule(audit)) {
      const row = rules.get(rule) ?? { severity: 0, rollouts: 0, hits: 0, keep: 0, zero: 0, drop: 0 };
      row.severity = Math.max(row.severity, ...findings.map(({ severity }) => severities.indexOf(severity)));
      row.rollouts += 1;
      row.hits += findings.length;
      row[audit.action] += 1;
      rules.set(rule, row);
    }
  }
  return [...rules]
    .sort(([, a], [, b]) => b.severity - a.severity || b.hits - a.hits)
    .map(([rule, { severity, rollouts, hits, keep, zero, drop }]) => [rule, severities[severity] ?? '', rollouts, hits, keep, zero, drop]);
}

function findingRows(options: { audit: Audit; place: number | undefined }): readonly (readonly (Html | string | number)[])[] {
  const { audit, place } = options;
  return [...hitsByRule(audit)].map(([rule, findings]) => {
    const [first] = findings;
    const number = first === undefined ? 0 : audit.findings.indexOf(first);
    const trajectory =
      place === undefined
        ? html`<code>${audit.trajectoryId}</code>`
        : html`<a href="#trajectory-${place}-finding-${number}">${audit.trajectoryId}</a>`;
    const why = first?.exoneratedBy === undefined ? first?.why : `${first.why} But: ${first.exoneratedBy.why}`;
    return [
      rule,
      trajectory,
      first?.severity ?? '',
      verdictText(audit),
      audit.action,
      html`<span class="clip">${why}</span>`,
      findings.length,
    ];
  });
}

function verdictText({ verdict }: Audit): string {
  if (verdict === undefined) return 'not verified';
  const effect = verdict.effective === null ? '' : verdict.effective ? ', effective' : ', not effective';
  return `${verdict.verdict}${verdict.verdict === 'hack' ? effect : ''}`;
}
