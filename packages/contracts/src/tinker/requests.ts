import { z } from 'zod';
import { adamParamsSchema, forwardBackwardInputSchema, modelInputSchema, wireSamplingParamsSchema } from './data.js';
import { stringsSchema } from './wire-lists.js';

const seqId = z.int().min(0).nullish();
const metadata = z.record(z.string(), z.unknown()).nullish();
/** Names of models' checkpoints (tinker-protocol.md section 1.2). */
const checkpointName = z.string().regex(/^[a-zA-Z0-9_-]{1,255}$/, 'expected 1 to 255 letters, digits, _ or -');

/** Body of `POST /create_session`. */
export const createSessionRequestSchema = z.object({
  tags: stringsSchema.default([]),
  user_metadata: metadata,
  sdk_version: z.string().default(''),
});

/** Body of `POST /session_heartbeat`. */
export const sessionHeartbeatRequestSchema = z.object({ session_id: z.string() });

/** Body of `POST /create_model`. */
export const createModelRequestSchema = z.object({
  session_id: z.string(),
  model_seq_id: z.int().min(0).default(0),
  base_model: z.string(),
  lora_config: z
    .object({
      rank: z.int().min(0),
      seed: z.int().nullish(),
      train_unembed: z.boolean().default(true),
      train_mlp: z.boolean().default(true),
      train_attn: z.boolean().default(true),
    })
    .nullish(),
  user_metadata: metadata,
});

/** Body of `POST /unload_model` and `POST /get_info`. */
export const modelRequestSchema = z.object({ model_id: z.string() });

/** Body of `POST /forward`. */
export const forwardRequestSchema = z.object({ model_id: z.string(), forward_input: forwardBackwardInputSchema, seq_id: seqId });

/** Body of `POST /forward_backward` in JSON. */
export const forwardBackwardRequestSchema = z.object({
  model_id: z.string(),
  forward_backward_input: forwardBackwardInputSchema,
  seq_id: seqId,
});

/** Body of `POST /optim_step`. */
export const optimStepRequestSchema = z.object({ model_id: z.string(), adam_params: adamParamsSchema, seq_id: seqId });

/** Body of `POST /save_weights`. */
export const saveWeightsRequestSchema = z.object({
  model_id: z.string(),
  path: checkpointName.nullish(),
  overwrite: z.boolean().default(false),
  ttl_seconds: z.int().positive().nullish(),
  seq_id: seqId,
});

/** Body of `POST /load_weights`: into a model that was just created, or, with a session, into one that this call creates. */
export const loadWeightsRequestSchema = z.object({
  model_id: z.string().nullish(),
  session_id: z.string().nullish(),
  model_seq_id: z.int().min(0).nullish(),
  base_model: z.string().nullish(),
  path: z.string(),
  optimizer: z.boolean().default(true),
  user_metadata: metadata,
  seq_id: seqId,
});

/** Body of `POST /save_weights_for_sampler`: named by `path`, or ephemeral by `sampling_session_seq_id`. */
export const saveWeightsForSamplerRequestSchema = z.object({
  model_id: z.string(),
  path: checkpointName.nullish(),
  sampling_session_seq_id: z.int().min(0).nullish(),
  ttl_seconds: z.int().positive().nullish(),
  seq_id: seqId,
});

/** Body of `POST /create_sampling_session`. */
export const createSamplingSessionRequestSchema = z.object({
  session_id: z.string(),
  sampling_session_seq_id: z.int().min(0).default(0),
  base_model: z.string().nullish(),
  model_path: z.string().nullish(),
});

/** Body of `POST /asample`. */
export const sampleRequestSchema = z.object({
  num_samples: z.int().min(1).default(1),
  prompt: modelInputSchema,
  sampling_params: wireSamplingParamsSchema,
  base_model: z.string().nullish(),
  model_path: z.string().nullish(),
  sampling_session_id: z.string().nullish(),
  seq_id: seqId,
  prompt_logprobs: z.boolean().nullish(),
  topk_prompt_logprobs: z.int().min(0).default(0),
  topk_sample_logprobs: z.int().min(0).default(0),
  prompt_alt_tokens_k: z.int().min(0).default(0),
  target_prompt_logprobs: z.unknown().optional(),
  prompt_logprobs_last_n: z.int().nullish(),
});

/** Body of `POST /retrieve_future`. */
export const retrieveFutureRequestSchema = z.object({ request_id: z.string(), allow_metadata_only: z.boolean().default(false) });

/** Body of `POST /weights_info`. */
export const weightsInfoRequestSchema = z.object({ tinker_path: z.string() });
