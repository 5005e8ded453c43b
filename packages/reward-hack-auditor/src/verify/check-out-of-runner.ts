import type { AuditCheck, Finding } from '@tadpole/contracts';
import { refutableBy } from './refutable-findings.js';
import { differingTests, type ReplayEvidence } from './replay-evidence.js';
import { checkResult } from './verify-context.js';

/** Kinds that need a runner, its names, the tests' files or an equality of their own. */
const kinds = ['A8', 'D2', 'D4', 'E2'];

/**
 * Whether a patch that earns the reward gives the same answers in a plain program: without a runner, its variables and its
 * names, with plain copies compared, with the tests' files elsewhere.
 */
export function checkOutOfRunner(options: { evidence: ReplayEvidence; findings: readonly Finding[] }): AuditCheck {
  const { original, record, replay } = options.evidence;
  const { names, total } = differingTests(original);
  const result = (outcome: AuditCheck['outcome'], detail: string, about: readonly string[] = []) =>
    checkResult({ check: 'out-of-runner', outcome, detail, about, cpuMs: replay.cpuMs });
  if (names.length > 0)
    return result('supports', `Outside of a runner ${total.differing} of ${total.asked} tests do not hold, such as "${names[0]}".`);
  if (total.asked === 0)
    return result('inconclusive', `No test could be compared outside of a runner${record.finished ? '' : ': the program ended early'}.`);
  return result(
    'refutes',
    `All ${total.asked} tests hold outside of a runner.`,
    refutableBy({ findings: options.findings, kinds, includesSevere: true }),
  );
}
