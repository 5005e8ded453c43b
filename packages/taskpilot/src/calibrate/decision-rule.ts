import { TadpoleError } from '@tadpole/contracts';
import type { Band } from './grid-prior.js';

/** What to do with a task after some scored rollouts. */
export type Decision = 'continue' | 'in-band' | 'too-easy' | 'too-hard';

/** Decides when enough rollouts of a task were seen. Pure; never `continue` at `maxTrials`. */
export interface DecisionRule {
  /** For the certificate: the rule with its settings. */
  readonly name: string;
  readonly maxTrials: number;
  /** What to do after these scored rollouts; `continue` asks for one more. */
  decide(state: { successes: number; trials: number }): Decision;
}

/** Always `trials` rollouts; in the band when the successes lie in `accept`, both ends included. */
export function fixedRule(options: { trials: number; accept: Band }): DecisionRule {
  const { trials: maxTrials, accept } = options;
  if (!Number.isInteger(maxTrials) || maxTrials < 1 || accept[0] > accept[1]) {
    throw new TadpoleError({
      code: 'invalid-config',
      message: `fixedRule: expected trials >= 1 and accept [low, high], got ${maxTrials} and [${accept}].`,
    });
  }
  return {
    name: `fixed(n=${maxTrials}, k=${accept[0]}..${accept[1]})`,
    maxTrials,
    decide({ successes, trials }) {
      if (trials < maxTrials) return 'continue';
      return successes < accept[0] ? 'too-hard' : successes > accept[1] ? 'too-easy' : 'in-band';
    },
  };
}
