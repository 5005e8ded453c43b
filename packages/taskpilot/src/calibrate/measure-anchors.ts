import { shuffle } from '../generator/shuffle.js';
import type { Bank, BankEntry } from './bank.js';
import type { Checkpoint } from './carried-likelihood.js';
import type { CarriedPriorOf } from './carried-prior.js';
import { estimateShift } from './estimate-shift.js';
import type { TaskCount } from './measure-wave.js';
import type { CalibrationCandidate } from './measurement.js';
import type { RolloutMeter, RoundEvent } from './rollout-meter.js';

/** The policy's gain in ability since the checkpoint before, from `anchors` tasks measured at both. */
export interface ShiftEvent {
  readonly type: 'checkpoint-shift';
  readonly shift: number;
  readonly standardError: number;
  readonly anchors: number;
}

const leastAnchors = 20;

/** Of a gain in ability that was not measured, in logits. */
const unknownStep = 1;

/**
 * Measures the policy's ability at `checkpoint` unless the bank knows it, and returns all checkpoints up to it: from
 * anchors measured at the one before and now. With fewer than 20 suitable tasks (or than `anchors`), nothing is
 * measured and the gain is 0 ± 1. The counts are the anchors' at this checkpoint.
 */
export async function* measureAnchors(options: {
  bank: Bank;
  /** Candidates for anchors. */
  entries: readonly BankEntry[];
  checkpoint: number;
  anchors: number;
  anchorTrials: number;
  drift: number;
  carriedPriorOf: CarriedPriorOf;
  meter: RolloutMeter;
  random: () => number;
}): AsyncGenerator<ShiftEvent | RoundEvent, { checkpoints: readonly Checkpoint[]; counts: readonly TaskCount<CalibrationCandidate>[] }> {
  const { checkpoint, anchors, anchorTrials, drift, carriedPriorOf, meter, random } = options;
  const checkpoints: Checkpoint[] = [...options.bank.checkpoints];
  if (checkpoints.length > checkpoint) return { checkpoints, counts: [] };
  if (checkpoints.length === 0) checkpoints.push({ ability: 0, standardError: 0 });
  const unknown = () => ({ ability: checkpoints.at(-1)?.ability ?? 0, standardError: unknownStep });
  while (checkpoints.length < checkpoint) checkpoints.push(unknown());
  if (checkpoints.length > checkpoint) return { checkpoints, counts: [] };
  const chosen = shuffle(options.entries.filter(isTelling(checkpoint - 1)), { random })
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, anchors);
  if (chosen.length === 0 || chosen.length < Math.min(anchors, leastAnchors))
    return { checkpoints: [...checkpoints, unknown()], counts: [] };
  const counts = chosen.map(({ candidate }) => ({ task: candidate, successes: 0, trials: 0, unscored: 0, asked: 0 }));
  yield* meter.measure(counts.map((count) => ({ count, most: anchorTrials })));
  const measured = chosen.flatMap(({ candidate, counts: past }, index) => {
    const { successes = 0, trials = 0 } = counts[index] ?? {};
    return trials === 0 ? [] : [{ before: carriedPriorOf({ candidate, counts: past, checkpoints }), successes, trials }];
  });
  if (measured.length === 0) return { checkpoints: [...checkpoints, unknown()], counts };
  const { shift, standardError } = estimateShift({ anchors: measured, drift });
  yield { type: 'checkpoint-shift', shift, standardError, anchors: measured.length };
  return { checkpoints: [...checkpoints, { ability: unknown().ability + shift, standardError }], counts };
}

/** Measured at the last checkpoint, and neither always nor never solved. */
function isTelling(checkpoint: number): (entry: BankEntry) => boolean {
  return ({ counts }) => {
    const last = counts.at(-1);
    return last !== undefined && last.checkpoint === checkpoint && last.trials >= 4 && last.successes > 0 && last.successes < last.trials;
  };
}

/** Tasks solved a little too seldom come first: they tell most, and after a gain they are likely to be admitted. */
function distance({ counts }: BankEntry): number {
  const { successes = 0, trials = 1 } = counts.at(-1) ?? {};
  return Math.abs(successes / trials - 1 / 3);
}
