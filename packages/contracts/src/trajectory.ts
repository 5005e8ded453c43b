import { z } from 'zod';
import { assistantMessageSchema, messageSchema, toolMessageSchema } from './message.js';
import { usageSchema } from './policy.js';
import { samplingSchema } from './sampling.js';

/**
 * Why the agent loop ended (frognano.md section 2.1): `agent` (a turn without a tool call), a limit
 * (`max-turns`, `max-context`, `max-tokens-per-turn`, `max-generated-tokens`, `max-time`, `max-cost`,
 * `repeated-invalid-calls`), `cancelled`, or a failed boundary (`policy-error`, `sandbox-error`). FrogNano's names differ
 * in three: `max_context_len`, `llm_query_error` and `tool_error` are `max-context`, `policy-error` and `sandbox-error`.
 */
export const stopReasonSchema = z.enum([
  'agent',
  'max-turns',
  'max-context',
  'max-tokens-per-turn',
  'max-generated-tokens',
  'max-time',
  'max-cost',
  'repeated-invalid-calls',
  'cancelled',
  'policy-error',
  'sandbox-error',
]);
/** See {@link stopReasonSchema}. */
export type StopReason = z.infer<typeof stopReasonSchema>;

/**
 * A run of tokens in which every turn extends the ids of the one before. `ids`, `mask`, `logprobs` and
 * `weightsVersions` are [T]; `mask[t]` is true exactly where the sampler drew `ids[t]`, and only there is
 * `logprobs[t]` a rollout log-probability (elsewhere 0).
 */
export const tokenSegmentSchema = z
  .strictObject({
    ids: z.array(z.int()).readonly(),
    mask: z.array(z.boolean()).readonly(),
    logprobs: z.array(z.number()).readonly(),
    /** The versions that sampled in this segment, in order of appearance. */
    weightsVersions: z.array(z.string()).readonly(),
    /** Where there are several versions, which of `weightsVersions` sampled each token [T], by its position there; 0 where nothing was sampled. */
    versionIndices: z.array(z.int().min(0)).readonly().optional(),
  })
  .refine((segment) => segment.ids.length === segment.mask.length && segment.ids.length === segment.logprobs.length, {
    message: 'expected ids, mask and logprobs of equal length',
  })
  .refine(
    ({ ids, versionIndices, weightsVersions }) =>
      versionIndices === undefined ||
      (versionIndices.length === ids.length && versionIndices.every((index) => index < Math.max(1, weightsVersions.length))),
    { message: 'expected versionIndices of the length of ids, each a position in weightsVersions' },
  );
/** See {@link tokenSegmentSchema}. */
export type TokenSegment = z.infer<typeof tokenSegmentSchema>;

/** One step: what the model wrote and what its tools answered, in order. */
export const turnSchema = z.strictObject({
  assistant: assistantMessageSchema,
  observations: z.array(toolMessageSchema).readonly(),
  usage: usageSchema,
  durationMs: z.number().min(0),
});
/** See {@link turnSchema}. */
export type Turn = z.infer<typeof turnSchema>;

/** One rollout, as data only. On disk it is ATIF 1.8 with ours in `extra.tadpole`. */
export const trajectorySchema = z.strictObject({
  id: z.string().min(1),
  taskId: z.string(),
  policy: z.string(),
  sampling: samplingSchema,
  /** System and user messages before the first turn. */
  opening: z.array(messageSchema).readonly(),
  turns: z.array(turnSchema).readonly(),
  segments: z.array(tokenSegmentSchema).readonly(),
  /** Turns whose prompt did not extend the previous ids. */
  segmentBreaks: z.int().min(0),
  stopReason: stopReasonSchema,
  /** Secrets that were taken out of its text. Above 0 there are no segments: token ids would spell the secrets. */
  redactions: z.int().min(0).optional(),
  /** One line about a failed boundary. */
  error: z.string().optional(),
  patch: z.string(),
  /** Of all turns, and the estimated prompt of a model call that was sent and cut off. */
  usage: usageSchema,
  startedAt: z.string(),
  durationMs: z.number().min(0),
  harnessFingerprint: z.string(),
});
/** See {@link trajectorySchema}. */
export type Trajectory = z.infer<typeof trajectorySchema>;
