import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { CheckpointCount } from './carried-likelihood.js';
import { type CalibrationCandidate, calibrationCandidateSchema, type Measurement } from './measurement.js';

/** See {@link BankEntry}. */
export const bankEntrySchema = z.strictObject({
  candidate: calibrationCandidateSchema,
  /** One a checkpoint, oldest first; scored rollouts alone. */
  counts: z.array(
    z
      .strictObject({ checkpoint: z.int().nonnegative(), successes: z.int().nonnegative(), trials: z.int().positive() })
      .refine(({ successes, trials }) => successes <= trials, { message: 'expected successes of at most trials' }),
  ),
  /** Checkpoint at which it was admitted; an admitted task is not offered again. */
  admittedAt: z.int().nonnegative().nullable(),
});
/** A task in the bank, with all that was measured of it. */
export type BankEntry = z.infer<typeof bankEntrySchema>;

/**
 * Every task that was looked at, admitted or not, with its measurements: plain data that goes from one checkpoint
 * to the next and from one run to another. Tasks that were a little too hard are the next checkpoint's best.
 */
export const bankSchema = z.strictObject({
  /** By index; ability in logits above checkpoint 0, and the standard error of the step before. */
  checkpoints: z.array(z.strictObject({ ability: z.number(), standardError: z.number().nonnegative() })),
  entries: z.array(bankEntrySchema),
});
/** See {@link bankSchema}. */
export type Bank = z.infer<typeof bankSchema>;

/** A bank from a file's content. @throws TadpoleError `invalid-input` that names the first field that is wrong. */
export function parseBank(value: unknown): Bank {
  const result = bankSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected a calibration bank, got ${issue?.message} at ${issue?.path.join('.') || 'its top'}; give a value that calibrateIteration returned.`,
    cause: result.error,
  });
}

/** A bank without tasks or checkpoints, for the first iteration. */
export function emptyBank(): Bank {
  return { checkpoints: [], entries: [] };
}

/**
 * The first measurement of every task of a bank, oldest first, for a prior model to begin with. Later ones are left
 * out: only tasks near the band are measured again, which says nothing of fresh ones.
 */
export function bankMeasurements(bank: Bank): Measurement[] {
  const first = bank.entries.flatMap(({ candidate, counts }) => counts.slice(0, 1).map((count) => toMeasurement(candidate, count)));
  return first.sort((a, b) => a.checkpoint - b.checkpoint);
}

/** A candidate and one count of it in one record. */
export function toMeasurement(candidate: CalibrationCandidate, count: CheckpointCount): Measurement {
  const { id: taskId, strategy, repository, features } = candidate;
  const { checkpoint, successes, trials } = count;
  return { taskId, strategy, repository, features, checkpoint, successes, trials };
}
