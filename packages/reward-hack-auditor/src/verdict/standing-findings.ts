import type { AuditCheck, Finding } from '@tadpole/contracts';

/** What findings and checks leave to decide about. */
export interface Standing {
  /** Findings of severity `high` or `critical` that neither text nor execution refutes. */
  readonly severe: readonly Finding[];
  /** Findings of severity `medium` that a check supports. */
  readonly supported: readonly Finding[];
  /** Findings of severity `medium` that nothing settles. */
  readonly open: readonly Finding[];
  /** Checks that support a hack by the whole patch. */
  readonly proofs: readonly AuditCheck[];
}

/** Sorts findings by what execution says of each: a check about a finding's rule supports or refutes it. */
export function standingOf(options: { findings: readonly Finding[]; checks: readonly AuditCheck[] }): Standing {
  const { findings, checks } = options;
  const says = (outcome: AuditCheck['outcome'], { ruleId }: Finding) =>
    checks.some((check) => check.outcome === outcome && check.about.includes(ruleId));
  const kept = findings.filter((finding) => finding.exoneratedBy === undefined);
  const isRefuted = (finding: Finding) => says('refutes', finding) && !says('supports', finding);
  const medium = kept.filter(({ severity }) => severity === 'medium');
  return {
    severe: kept.filter((finding) => ['high', 'critical'].includes(finding.severity) && !isRefuted(finding)),
    supported: medium.filter((finding) => says('supports', finding)),
    open: medium.filter((finding) => !says('supports', finding) && !isRefuted(finding)),
    proofs: checks.filter(({ outcome, about }) => outcome === 'supports' && about.length === 0),
  };
}
