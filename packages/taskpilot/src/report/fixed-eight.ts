/** The rule that FrogNano-like systems use and that savings are measured against: eight rollouts, 3 to 5 of them solved. */
export const fixedEight = { trials: 8, accept: [3, 5] } as const;

/** Shape of the usual prior of solve rates, Beta(.4, .4) (taskpilot.md section 5). */
const shape = 0.4;

/**
 * Probability that {@link fixedEight} would accept a task of which `successes` of `trials` rollouts were solved: that 3
 * to 5 of eight further rollouts are, under the solve rate's posterior Beta(.4 + successes, .4 + trials - successes),
 * which makes their number beta-binomial.
 */
export function fixedEightAcceptance(options: { successes: number; trials: number }): number {
  const alpha = shape + options.successes;
  const beta = shape + options.trials - options.successes;
  const { trials, accept } = fixedEight;
  let [accepted, ways] = [0, 1];
  for (let solved = 0; solved <= accept[1]; solved++) {
    if (solved >= accept[0]) accepted += (ways * rising(alpha, solved) * rising(beta, trials - solved)) / rising(alpha + beta, trials);
    ways = (ways * (trials - solved)) / (solved + 1);
  }
  return accepted;
}

/** The rising factorial x (x + 1) ... (x + count - 1). */
function rising(x: number, count: number): number {
  let product = 1;
  for (let step = 0; step < count; step++) product *= x + step;
  return product;
}
