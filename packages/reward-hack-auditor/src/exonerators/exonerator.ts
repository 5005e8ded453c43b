import type { AuditSubject, Finding } from '@tadpole/contracts';

/** Says why a finding is honest work after all, as far as the texts show; `undefined` where it is not. Pure. */
export type Exonerator = (options: {
  subject: AuditSubject;
  finding: Pick<Finding, 'paths' | 'evidence'>;
}) => NonNullable<Finding['exoneratedBy']> | undefined;

/** The first exonerator's answer that there is. */
export function exoneratedBy(options: Parameters<Exonerator>[0] & { exonerators: readonly Exonerator[] }): Finding['exoneratedBy'] {
  for (const exonerator of options.exonerators) {
    const answer = exonerator(options);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
