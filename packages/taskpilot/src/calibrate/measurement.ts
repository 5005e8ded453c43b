import { z } from 'zod';

/** What is known of a task before any rollout. Counts and sizes enter the predictor as logarithms. */
export const taskFeaturesSchema = z.strictObject({
  operator: z.string(),
  /** How its fail-to-pass tests fail on the buggy tree, for instance `assertion`. */
  failureKind: z.string(),
  edits: z.int().nonnegative(),
  files: z.int().nonnegative(),
  changedLines: z.int().nonnegative(),
  failToPass: z.int().nonnegative(),
  passToPass: z.int().nonnegative(),
  /** Position of the statement on its ladder of information; 0 gives least. */
  hintRung: z.int().nonnegative(),
  statementCharacters: z.int().nonnegative(),
  repositoryLines: z.int().nonnegative(),
  functionLines: z.int().nonnegative(),
});
/** See {@link taskFeaturesSchema}. */
export type TaskFeatures = z.infer<typeof taskFeaturesSchema>;

/** A task to be measured, as plain data. */
export const calibrationCandidateSchema = z.strictObject({
  id: z.string().min(1),
  /** The bandit's arm: a generator with its operator, operator family or refinement move. */
  strategy: z.string().min(1),
  repository: z.string().min(1),
  features: taskFeaturesSchema.optional(),
});
/** See {@link calibrationCandidateSchema}. */
export type CalibrationCandidate = z.infer<typeof calibrationCandidateSchema>;

/** Scored rollouts of one task under one checkpoint. */
export interface Measurement {
  readonly taskId: string;
  readonly strategy: string;
  readonly repository: string;
  readonly features?: TaskFeatures | undefined;
  /** Index of the checkpoint, from 0. */
  readonly checkpoint: number;
  readonly successes: number;
  readonly trials: number;
}
