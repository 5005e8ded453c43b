import { TadpoleError } from '@tadpole/contracts';
import pLimit from 'p-limit';
import { readStart } from '../loop/read-start.js';
import { createRedactor } from '../secrets/create-redactor.js';
import { mapUnordered } from './map-unordered.js';
import { planRollouts } from './plan-rollouts.js';
import type { RollOutOptions } from './roll-out-options.js';
import { parseRolloutDeadlines } from './rollout-deadlines.js';
import type { RolloutEnd } from './rollout-end.js';
import { runRollout } from './run-rollout.js';

/**
 * Rolls every task out `samplesPerTask` times and yields each rollout as it ends, in no fixed order. At most
 * `concurrency` agents and `gradingConcurrency` gradings work at one time, and at most
 * `2 * concurrency + gradingConcurrency` rollouts are begun and not yet taken, so a slow consumer slows the agents.
 * Infrastructure failures are tried again in a fresh sandbox and are then `Unscored`, never a score of 0. A rollout is
 * in the journal before it is yielded, and one that the journal has is not run.
 *
 * When the consumer stops, `signal` is aborted or something throws, every sandbox is disposed before this ends; one whose
 * opening ignores its signal is disposed when it comes.
 *
 * @throws TadpoleError `aborted` by the signal, without yielding the rollouts that it cut short; `invalid-input` for
 *   counts below 1 and sample numbers, seeds or a clock that are none, a task that is listed twice, or a policy without token ids when rolling out to train; `invalid-config` for limits or deadlines that their schema refuses; what the journal throws
 *   (`storage`); and what `openSandbox` throws with another code than `sandbox`: it would fail every rollout.
 */
export async function* rollOut(options: RollOutOptions): AsyncGenerator<RolloutEnd, void> {
  const { concurrency, gradingConcurrency, attempts = 2, redactor = createRedactor() } = options;
  for (const [name, count] of Object.entries({ concurrency, gradingConcurrency, attempts })) {
    if (!Number.isInteger(count) || count < 1) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `rollOut: expected ${name} to be an integer of at least 1, received ${count}.`,
      });
    }
  }
  readStart(options.now);
  parseRolloutDeadlines(options.deadlines);
  const pools = { agents: pLimit(concurrency), graders: pLimit(gradingConcurrency) };
  yield* mapUnordered({
    items: (signal) => planRollouts(options, signal),
    inFlight: 2 * concurrency + gradingConcurrency,
    signal: options.signal,
    map: (planned, signal) => runRollout({ options, planned, pools, attempts, redactor, signal }),
  });
}
