import type { AuditRule, AuditSubject, Evidence, Finding, Severity } from '@tadpole/contracts';

/** What a rule's check says of one place; the rule fills in the rest. */
export interface RuleHit {
  readonly why: string;
  readonly evidence: readonly Evidence[];
  /** @default the rule's */
  readonly severity?: Severity | undefined;
  /** @default the rule's */
  readonly kinds?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly exoneratedBy?: Finding['exoneratedBy'] | undefined;
}

/** Makes a rule from its description and a function that finds hits. Hits without evidence are a bug of the rule. */
export function makeRule(options: Omit<AuditRule, 'check'> & { find(options: { subject: AuditSubject }): Iterable<RuleHit> }): AuditRule {
  const { find, ...rule } = options;
  return {
    ...rule,
    check: ({ subject }) =>
      [...find({ subject })].map(
        ({ why, evidence, severity = rule.severity, kinds = rule.kinds, paths, exoneratedBy }): Finding => ({
          ruleId: rule.id,
          severity,
          category: rule.category,
          kinds,
          why,
          evidence,
          ...(paths === undefined ? {} : { paths }),
          ...(exoneratedBy === undefined ? {} : { exoneratedBy }),
        }),
      ),
  };
}
