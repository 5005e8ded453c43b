import { TadpoleError } from '@tadpole/contracts';
import { driftedLikelihood } from './carried-likelihood.js';
import type { GridPrior } from './grid-prior.js';
import { logit } from './logit.js';

/** A task measured at one checkpoint and again at the next. */
export interface Anchor {
  /** Its solve rate at the earlier checkpoint, given all that was measured until then. */
  readonly before: GridPrior;
  /** Scored rollouts at the later checkpoint. */
  readonly successes: number;
  readonly trials: number;
}

/**
 * How much abler the policy became between two checkpoints, from tasks measured at both (Rasch model: every
 * task moves by the same number of logits, plus its own drift): mean and standard deviation of the shift's
 * distribution, uniform within ±4 beforehand. Anchors may be chosen by their earlier measurement, whose
 * regression to the mean `before` accounts for; never by the later one.
 *
 * @throws TadpoleError `invalid-input` without anchors.
 */
export function estimateShift(options: {
  anchors: readonly Anchor[];
  /** Standard deviation of an item's own drift, in logits. @default 0.6 */
  drift?: number;
}): { shift: number; standardError: number } {
  const { anchors, drift = 0.6 } = options;
  if (anchors.length === 0) throw new TadpoleError({ code: 'invalid-input', message: 'estimateShift: expected anchors, got none.' });
  const shifts = Array.from({ length: 161 }, (_, index) => (index - 80) * 0.05);
  const scores = new Float64Array(shifts.length);
  for (const { before, successes, trials } of anchors) {
    const likelihood = driftedLikelihood({ successes, trials, drift });
    const logits = before.rates.map(logit);
    for (const [index, shift] of shifts.entries()) {
      const seen = logits.reduce((sum, value, rate) => sum + (before.weights[rate] ?? 0) * likelihood(value + shift), 0);
      scores[index] = (scores[index] ?? 0) + Math.log(Math.max(seen, Number.MIN_VALUE));
    }
  }
  const best = Math.max(...scores);
  const weights = [...scores].map((score) => Math.exp(score - best));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const meanOf = (value: (shift: number) => number) =>
    shifts.reduce((sum, shift, index) => sum + (weights[index] ?? 0) * value(shift), 0) / total;
  const shift = meanOf((value) => value);
  return { shift, standardError: Math.sqrt(meanOf((value) => (value - shift) ** 2)) };
}
