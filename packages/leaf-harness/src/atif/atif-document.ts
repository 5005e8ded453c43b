import { z } from 'zod';
import { atifContentSchema } from './atif-content.js';
import { stepIssues } from './atif-rules.js';

const extra = z.record(z.string(), z.unknown()).optional();
const count = z.int().min(0).optional();

const toolCallSchema = z.looseObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  extra,
});

const resultSchema = z.looseObject({
  source_call_id: z.string().nullish(),
  content: atifContentSchema.nullish(),
  subagent_trajectory_ref: z
    .array(
      z.looseObject({
        trajectory_id: z.string().nullish(),
        trajectory_path: z.string().nullish(),
        session_id: z.string().nullish(),
        extra,
      }),
    )
    .nullish(),
  extra,
});

const metricsSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  cached_tokens: count,
  cost_usd: z.number().min(0).optional(),
  prompt_token_ids: z.array(z.int()).optional(),
  completion_token_ids: z.array(z.int()).optional(),
  logprobs: z.array(z.number()).optional(),
  extra,
});

/** One step of a document. */
export const atifStepSchema = z.looseObject({
  /** 1-based, sequential. */
  step_id: z.int().min(1),
  timestamp: z.string().optional(),
  source: z.enum(['system', 'user', 'agent']),
  message: atifContentSchema,
  model_name: z.string().optional(),
  reasoning_effort: z.union([z.string(), z.number()]).optional(),
  reasoning_content: z.string().optional(),
  tool_calls: z.array(toolCallSchema).optional(),
  observation: z.looseObject({ results: z.array(resultSchema) }).optional(),
  metrics: metricsSchema.optional(),
  llm_call_count: count,
  is_copied_context: z.boolean().optional(),
  extra,
});
/** See {@link atifStepSchema}. */
export type AtifStep = z.infer<typeof atifStepSchema>;

/**
 * An ATIF document (Agent Trajectory Interchange Format, Harbor RFC 0001, formats.md section 3.2) of any version 1.x:
 * every version is additive. Members that it does not name are kept as they are.
 */
export const atifDocumentSchema = z
  .looseObject({
    schema_version: z.string().regex(/^ATIF-v1\.\d+$/, 'expected ATIF-v1.N'),
    /** Required up to 1.6. */
    session_id: z.string().optional(),
    trajectory_id: z.string().optional(),
    agent: z.looseObject({
      name: z.string(),
      version: z.string(),
      model_name: z.string().optional(),
      tool_definitions: z.array(z.unknown()).optional(),
      extra,
    }),
    steps: z.array(atifStepSchema).min(1),
    notes: z.string().optional(),
    final_metrics: z
      .looseObject({
        total_prompt_tokens: count,
        total_completion_tokens: count,
        total_cached_tokens: count,
        total_cost_usd: z.number().min(0).optional(),
        total_steps: count,
        extra,
      })
      .optional(),
    continued_trajectory_ref: z.string().optional(),
    /** Documents of the same form; `readAtif` reads each. */
    subagent_trajectories: z.array(z.record(z.string(), z.unknown())).optional(),
    extra,
  })
  .superRefine((document, context) => {
    const ids = (document.subagent_trajectories ?? []).flatMap(({ trajectory_id: id }) => (id === undefined ? [] : [id]));
    if (new Set(ids).size < ids.length)
      context.addIssue({ code: 'custom', path: ['subagent_trajectories'], message: 'expected every trajectory_id once' });
    for (const issue of stepIssues(document.steps)) context.addIssue({ code: 'custom', ...issue });
    if (Number(document.schema_version.split('.')[1]) <= 6 && document.session_id === undefined)
      context.addIssue({ code: 'custom', path: ['session_id'], message: 'expected a session_id, which versions up to 1.6 require' });
  });
/** See {@link atifDocumentSchema}. */
export type AtifDocument = z.infer<typeof atifDocumentSchema>;
