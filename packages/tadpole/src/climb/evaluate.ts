import { type Sampler, TadpoleError, type TadpoleEvent, type Task } from '@tadpole/contracts';
import { rate } from '@tadpole/evaluation';
import type { ClimbContext } from './climb-context.js';
import { rollOutJournaled } from './roll-out-journaled.js';

/**
 * Rolls the held-out tasks out with the current policy and journals pass@1 over the scored rollouts. The seeds
 * depend on task and sample alone, so that two evaluations can be paired.
 */
export async function* evaluate(options: {
  context: ClimbContext;
  sampler: Sampler;
  tasks: readonly Task[];
  iteration: number;
  update: number;
  label: string;
}): AsyncGenerator<TadpoleEvent, void> {
  const { context, sampler, tasks, iteration, update, label } = options;
  const samples = Array.from({ length: context.configuration.heldOut.samplesPerTask }, (_, index) => index);
  const requests = tasks.map((task) => ({ task, samples }));
  const rollouts = yield* rollOutJournaled({ context, purpose: 'evaluation', iteration, sampler, requests });
  const scored = rollouts.flatMap(({ outcome }) => (outcome.status === 'scored' ? [outcome] : []));
  if (scored.length === 0) {
    throw new TadpoleError({
      code: 'sandbox',
      message: `None of ${rollouts.length} evaluation rollouts has a score; their outcomes in the journal say why. Mend it and resume.`,
    });
  }
  yield context.record({
    type: 'evaluation-end',
    iteration,
    update,
    label,
    weightsVersion: sampler.weightsVersion,
    passAt1: rate({ successes: scored.filter(({ reward }) => reward >= 1).length, trials: scored.length }),
    unscored: rollouts.length - scored.length,
  });
}
