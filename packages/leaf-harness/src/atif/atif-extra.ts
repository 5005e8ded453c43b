import { outcomeSchema, trajectorySchema } from '@tadpole/contracts';
import { z } from 'zod';

/**
 * What ATIF has no field for, in `extra.tadpole` of the document: token segments with their mask and weights versions,
 * the stop reason, the patch, the outcome with its reward, and the run's settings.
 */
export const documentExtraSchema = trajectorySchema
  .pick({
    taskId: true,
    policy: true,
    sampling: true,
    segments: true,
    segmentBreaks: true,
    stopReason: true,
    redactions: true,
    error: true,
    patch: true,
    usage: true,
    startedAt: true,
    durationMs: true,
    harnessFingerprint: true,
  })
  .extend({ outcome: outcomeSchema.optional() });

/** `extra.tadpole` of an agent's step: a turn's wall time, and whether its tokens are an estimate. */
export const stepExtraSchema = z.strictObject({ durationMs: z.number().min(0), isEstimated: z.literal(true).optional() });

/** `extra.tadpole` of a tool call whose arguments text is not the JSON of the `arguments` object: the text as the model wrote it. */
export const callExtraSchema = z.strictObject({ arguments: z.string() });
