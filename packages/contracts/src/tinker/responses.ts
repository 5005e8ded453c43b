import { z } from 'zod';
import { tensorDataSchema } from './data.js';

/** Answer to a request whose result is fetched with `retrieve_future`. */
export const futureSchema = z.object({ request_id: z.string(), model_id: z.string().nullish() });

/** Answer to `POST /create_session`. */
export const createSessionResponseSchema = z.object({ session_id: z.string(), error_message: z.string().nullish() });

/** Result of `create_model`. */
export const createModelResultSchema = z.object({ model_id: z.string() });

/** Answer to `GET /get_server_capabilities`. */
export const serverCapabilitiesSchema = z.object({
  supported_models: z.array(z.object({ model_name: z.string().nullish(), max_context_length: z.int().nullish() })),
});

/** Result of `forward` and `forward_backward`; every `logprobs` is as long as its datum's input. */
export const forwardBackwardOutputSchema = z.object({
  loss_fn_output_type: z.string().default(''),
  loss_fn_outputs: z.array(z.record(z.string(), tensorDataSchema)),
  /** By `name:reduction`, for instance `loss:sum`. */
  metrics: z.record(z.string(), z.number().nullable()).default({}),
});
/** See {@link forwardBackwardOutputSchema}. */
export type ForwardBackwardOutput = z.infer<typeof forwardBackwardOutputSchema>;

/** Result of `optim_step`. */
export const optimStepResultSchema = z.object({ metrics: z.record(z.string(), z.number().nullable()).nullish() });

/** Result of `load_weights`. */
export const loadWeightsResultSchema = z.object({ type: z.literal('load_weights').nullish() });

/** Result of `save_weights`, and of `save_weights_for_sampler` with a name: the protocol's path of the checkpoint. */
export const savedWeightsResultSchema = z.object({ path: z.string() });

/** Result of `save_weights_for_sampler` without a name. */
export const ephemeralSamplerResultSchema = z.object({ sampling_session_id: z.string() });

/** Answer to `POST /create_sampling_session`. */
export const samplingSessionResponseSchema = z.object({ sampling_session_id: z.string() });

/** Result of `asample`. `prompt_logprobs` begins with null, but for servers that leave the null out. */
export const sampleOutputSchema = z.object({
  sequences: z.array(
    z.object({ stop_reason: z.enum(['stop', 'length']), tokens: z.array(z.int()), logprobs: z.array(z.number()).nullish() }),
  ),
  prompt_logprobs: z.array(z.number().nullable()).nullish(),
  topk_prompt_logprobs: z.array(z.array(z.tuple([z.int(), z.number()])).nullable()).nullish(),
});
/** See {@link sampleOutputSchema}. */
export type SampleOutput = z.infer<typeof sampleOutputSchema>;

/** A 200 of `retrieve_future` that is no result yet. */
export const tryAgainSchema = z.object({
  type: z.literal('try_again'),
  queue_state: z.string().nullish(),
  queue_state_reason: z.string().nullish(),
});

/** A 200 of `retrieve_future` that says that the operation failed. */
export const requestFailedSchema = z.object({ error: z.string(), category: z.enum(['unknown', 'server', 'user']).catch('unknown') });

/** What servers say beside a status of 400 and above. */
export const errorBodySchema = z.object({
  detail: z.union([z.string(), z.array(z.object({ loc: z.array(z.union([z.string(), z.int()])).optional(), msg: z.string() }))]),
});

/** Answer to `POST /get_info`. */
export const modelInfoSchema = z.object({
  model_id: z.string(),
  model_data: z.object({ base_model: z.string().nullish(), model_name: z.string().nullish() }),
});
