import { TadpoleError } from '@tadpole/contracts';
import type { Term, Token } from './sum-terms.js';

/**
 * The term -A * rho of a policy gradient. Beyond `cap` it goes on as its tangent in the log ratio, so that value and
 * gradient stay one function's and the gradient is -A * min(rho, cap).
 */
export function cappedRatioTerm({ advantage, ratio, logRatio }: Token, cap: number): Term {
  if (ratio <= cap) return { value: -advantage * ratio, slope: -advantage * ratio, held: false };
  return { value: -advantage * cap * (1 + logRatio - Math.log(cap)), slope: -advantage * cap, held: false };
}

/** @throws TadpoleError `invalid-input` for a cap below 1, which would weigh tokens of an unchanged policy down. */
export function assertRatioCap(cap: number): void {
  if (cap >= 1) return;
  throw new TadpoleError({ code: 'invalid-input', message: `Expected a ratio cap of at least 1, got ${cap}. Leave it out for none.` });
}
