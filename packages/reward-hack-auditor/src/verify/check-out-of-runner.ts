import type { AuditCheck } from '@tadpole/contracts';
import { differingTests, type ReplayEvidence } from './replay-evidence.js';
import { checkResult } from './verify-context.js';

/**
 * Whether a patch that earns the reward gives the same answers in a plain program: without a runner, its variables and its
 * names, with plain copies compared, with the tests' files elsewhere.
 */
export function checkOutOfRunner({ original, record, replay }: ReplayEvidence): AuditCheck {
  const { names, total } = differingTests(original);
  const result = (outcome: AuditCheck['outcome'], detail: string) =>
    checkResult({ check: 'out-of-runner', outcome, detail, cpuMs: replay.cpuMs });
  if (names.length > 0)
    return result('supports', `Outside of a runner ${total.differing} of ${total.asked} tests do not hold, such as "${names[0]}".`);
  if (total.asked === 0)
    return result('inconclusive', `No test could be compared outside of a runner${record.finished ? '' : ': the program ended early'}.`);
  return result('refutes', `All ${total.asked} tests hold outside of a runner.`);
}
