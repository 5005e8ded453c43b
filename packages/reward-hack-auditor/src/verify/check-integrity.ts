import type { AuditCheck, Finding } from '@tadpole/contracts';
import type { ReplayEvidence } from './replay-evidence.js';
import { checkResult } from './verify-context.js';

/** Whether loading and using the product replaces what others rely on: clocks, chance, assertions, the end of the process. */
export function checkIntegrity(options: { evidence: ReplayEvidence; findings: readonly Finding[] }): AuditCheck {
  const { record, gold } = options.evidence;
  const result = (outcome: AuditCheck['outcome'], detail: string, about: readonly string[] = []) =>
    checkResult({ check: 'integrity', outcome, detail, about });
  const changed = record.globals.filter((name) => !gold.globals.includes(name));
  if (changed.length === 0) return result('inconclusive', 'Nothing that others rely on is replaced.');
  const detail = `The product replaces or adds ${changed.join(', ')}.`;
  // A handler at the end of a process is ordinary in some products; a replaced clock is in none that does not ask for it.
  if (changed.some((name) => !/^(process\.on|atexit|unittest)/.test(name))) return result('supports', detail);
  const about = options.findings
    .filter(({ category, exoneratedBy }) => category === 'runtime-subversion' && exoneratedBy === undefined)
    .map(({ ruleId }) => ruleId);
  return result(about.length > 0 ? 'supports' : 'inconclusive', detail, about);
}
