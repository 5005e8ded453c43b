import type { Finding } from '@tadpole/contracts';

/**
 * Ids of rules that a check may refute: every finding of theirs that stands is of the kinds that the check can see through. Others are
 * attempts by themselves, whatever came of them.
 */
export function refutableBy(options: {
  findings: readonly Finding[];
  /** Ids of the taxonomy. */
  kinds: readonly string[];
  /** Whether a severe finding may be refuted too. @default only lesser ones */
  includesSevere?: boolean;
}): readonly string[] {
  const { findings, kinds, includesSevere = false } = options;
  const standing = findings.filter(({ exoneratedBy }) => exoneratedBy === undefined);
  const isRefutable = (finding: Finding) =>
    finding.kinds.every((kind) => kinds.includes(kind)) && (includesSevere || !['high', 'critical'].includes(finding.severity));
  const ids = new Set(standing.map(({ ruleId }) => ruleId));
  return [...ids].filter((id) => standing.every((finding) => finding.ruleId !== id || isRefutable(finding)));
}
