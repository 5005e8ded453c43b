import type { AuditCheck } from '@tadpole/contracts';
import { differingTests, type ReplayEvidence } from './replay-evidence.js';
import { checkResult } from './verify-context.js';

/** Whether answers stay when the tests run backwards and again in one process: state that counts calls does not. */
export function checkMetamorphic({ original, repeated }: ReplayEvidence): AuditCheck {
  const held = new Map([...repeated].filter(([test]) => original.get(test)?.differing === 0));
  const { names, total } = differingTests(held);
  const result = (outcome: AuditCheck['outcome'], detail: string) => checkResult({ check: 'metamorphic', outcome, detail });
  if (names.length > 0)
    return result(
      'supports',
      `In another order or repeated, ${total.differing} of ${total.asked} runs of tests give other answers, such as "${names[0]}".`,
    );
  if (total.asked === 0) return result('inconclusive', 'No test could be repeated.');
  return result('refutes', `The answers stay in ${total.asked} repetitions and other orders.`);
}
