import { z } from 'zod';

/** One test's result as the runner's own structured reporter gave it. A test that is absent is `missing`, never passed. */
export const testResultSchema = z.strictObject({
  /** `file::name`, unique within a task. */
  id: z.string().min(1),
  file: z.string(),
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'missing']),
  /** First failing assertion or error, shortened. */
  message: z.string().optional(),
  /** What the failing assertion expected and saw, printed, when the reporter says so. */
  expected: z.string().optional(),
  observed: z.string().optional(),
  /** `assertion` when a comparison failed; `error` for a throw, a load failure or a crash. */
  kind: z.enum(['assertion', 'error']).optional(),
});
/** See {@link testResultSchema}. */
export type TestResult = z.infer<typeof testResultSchema>;

/** Which side of which boundary failed, when nothing can be said about the policy. */
export const boundarySchema = z.enum(['policy', 'harness', 'tool', 'sandbox', 'grader', 'task', 'auditor']);
/** See {@link boundarySchema}. */
export type Boundary = z.infer<typeof boundarySchema>;

/** A stage of a rollout that has its own deadline; `total` bounds all of them together. */
export const rolloutPhaseSchema = z.enum(['open', 'agent', 'grade', 'total']);
/** See {@link rolloutPhaseSchema}. */
export type RolloutPhase = z.infer<typeof rolloutPhaseSchema>;

/**
 * Why a rollout has no score (closed):
 * `sandbox-failed` · `policy-failed` (endpoint or engine) · `grader-failed` (no report could be read) ·
 * `grading-timeout` (the grader's own deadline, not the tests') · `timeout` (a deadline of the rollout, see `phase`) ·
 * `cancelled` · `task-invalid` (its own gold does not pass) · `audit-dropped` (the gate took it out) ·
 * `redacted` (its text held a secret, so that its tokens may not be trained on)
 */
export const unscoredReasonSchema = z.enum([
  'sandbox-failed',
  'policy-failed',
  'grader-failed',
  'grading-timeout',
  'timeout',
  'cancelled',
  'task-invalid',
  'audit-dropped',
  'redacted',
]);
/** See {@link unscoredReasonSchema}. */
export type UnscoredReason = z.infer<typeof unscoredReasonSchema>;

/** A graded rollout: the only thing that may enter an advantage, a calibration or a mean. */
export const scoredSchema = z.strictObject({
  status: z.literal('scored'),
  /** In [0, 1]; 1 means that every named test passed. */
  reward: z.number().min(0).max(1),
  /** The parts that made the reward, by name. */
  components: z.record(z.string(), z.number()),
  tests: z.array(testResultSchema).readonly(),
  /** What a person should know about this score, such as two reward files that disagree. @default nothing */
  warnings: z.array(z.string()).min(1).readonly().optional(),
});
/** See {@link scoredSchema}. */
export type Scored = z.infer<typeof scoredSchema>;

/** A rollout about which nothing can be said. It has no reward, not a zero. */
export const unscoredSchema = z.strictObject({
  status: z.literal('unscored'),
  reason: unscoredReasonSchema,
  boundary: boundarySchema,
  /** Of `timeout`: whose deadline passed. */
  phase: rolloutPhaseSchema.optional(),
  /** One line for a person: what failed. */
  detail: z.string(),
});
/** See {@link unscoredSchema}. */
export type Unscored = z.infer<typeof unscoredSchema>;

/** How a rollout ended: {@link Scored} or {@link Unscored}, discriminated by `status`. */
export const outcomeSchema = z.discriminatedUnion('status', [scoredSchema, unscoredSchema]);
/** See {@link outcomeSchema}. */
export type Outcome = z.infer<typeof outcomeSchema>;
