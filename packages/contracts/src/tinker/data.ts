import { z } from 'zod';
import { namedSchema, numbersSchema, objectsSchema, stringsSchema, wholeNumbersSchema } from './wire-lists.js';

/** Token ids of a prompt or a datum. Other chunks (images) are refused where they enter: no engine of ours reads them. */
export const encodedTextChunkSchema = z.object({ type: z.literal('encoded_text').default('encoded_text'), tokens: wholeNumbersSchema });

/** What a model reads: its chunks, one after the other (tinker-protocol.md section 1.5). */
export const modelInputSchema = z.object({ chunks: objectsSchema(encodedTextChunkSchema) });
/** See {@link modelInputSchema}. */
export type ModelInput = z.infer<typeof modelInputSchema>;

/** A tensor in JSON: flat numbers. Sparse ones are refused, as by the servers that are known. */
export const tensorDataSchema = z.object({
  data: numbersSchema,
  dtype: z.enum(['int64', 'float32']),
  shape: wholeNumbersSchema.nullish(),
  sparse_crow_indices: z.null().optional(),
  sparse_col_indices: z.null().optional(),
});
/** See {@link tensorDataSchema}. */
export type TensorData = z.infer<typeof tensorDataSchema>;

/**
 * One training sequence after the client-side shift: every array of `loss_fn_inputs` is as long as `model_input`, and position i
 * speaks about predicting `target_tokens[i]` (tinker-protocol.md section 1.5).
 */
export const wireDatumSchema = z.object({ model_input: modelInputSchema, loss_fn_inputs: namedSchema(tensorDataSchema) });
/** See {@link wireDatumSchema}. */
export type WireDatum = z.infer<typeof wireDatumSchema>;

/** Input of `forward` and `forward_backward`. */
export const forwardBackwardInputSchema = z.object({
  data: objectsSchema(wireDatumSchema),
  loss_fn: z.string(),
  loss_fn_config: namedSchema(z.number()).nullish(),
});
/** See {@link forwardBackwardInputSchema}. */
export type ForwardBackwardInput = z.infer<typeof forwardBackwardInputSchema>;

/** AdamW as the protocol names its settings; the defaults are the protocol's, not FrogNano's. */
export const adamParamsSchema = z.object({
  learning_rate: z.number().min(0).default(1e-4),
  beta1: z.number().min(0).lt(1).default(0.9),
  beta2: z.number().min(0).lt(1).default(0.95),
  eps: z.number().min(0).default(1e-12),
  weight_decay: z.number().min(0).default(0),
  /** 0 switches clipping off. */
  grad_clip_norm: z.number().min(0).default(0),
});
/** See {@link adamParamsSchema}. */
export type AdamParams = z.infer<typeof adamParamsSchema>;

/** How to sample. `stop` holds token ids or strings, never both. */
export const wireSamplingParamsSchema = z.object({
  max_tokens: z.int().min(1),
  seed: z.int().nullish(),
  stop: z.union([wholeNumbersSchema, stringsSchema, z.string()]).nullish(),
  temperature: z.number().min(0).default(1),
  /** -1 takes the whole vocabulary. */
  top_k: z.int().default(-1),
  top_p: z.number().gt(0).max(1).default(1),
});
/** See {@link wireSamplingParamsSchema}. */
export type WireSamplingParams = z.infer<typeof wireSamplingParamsSchema>;
