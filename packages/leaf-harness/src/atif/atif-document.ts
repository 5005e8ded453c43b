import { z } from 'zod';

const extra = z.record(z.string(), z.unknown()).optional();

const toolCallSchema = z.looseObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  extra,
});

const metricsSchema = z.looseObject({
  prompt_tokens: z.int().min(0).optional(),
  completion_tokens: z.int().min(0).optional(),
  cost_usd: z.number().min(0).optional(),
  extra,
});

const stepSchema = z.looseObject({
  /** 1-based, sequential. */
  step_id: z.int().min(1),
  source: z.enum(['system', 'user', 'agent']),
  /** Text; Tadpole neither writes nor reads parts (images, audio). */
  message: z.string(),
  reasoning_content: z.string().optional(),
  tool_calls: z.array(toolCallSchema).optional(),
  observation: z
    .looseObject({ results: z.array(z.looseObject({ source_call_id: z.string().optional(), content: z.string().optional(), extra })) })
    .optional(),
  metrics: metricsSchema.optional(),
  extra,
});

/**
 * The part of an ATIF 1.8 document (Agent Trajectory Interchange Format, Harbor RFC 0001) that a trajectory needs;
 * further members are kept as they are. Every 1.x version is additive, so any `ATIF-v1.N` is read.
 */
export const atifDocumentSchema = z.looseObject({
  schema_version: z.string().regex(/^ATIF-v1\.\d+$/, 'expected ATIF-v1.N'),
  trajectory_id: z.string().optional(),
  agent: z.looseObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().optional(),
    tool_definitions: z.array(z.unknown()).optional(),
  }),
  steps: z
    .array(stepSchema)
    .min(1)
    .refine((steps) => steps.every((step, index) => step.step_id === index + 1), { message: 'expected step_id 1, 2, 3, … in order' }),
  final_metrics: z.looseObject({}).optional(),
  extra,
});
/** See {@link atifDocumentSchema}. */
export type AtifDocument = z.infer<typeof atifDocumentSchema>;
/** One step of a document. */
export type AtifStep = AtifDocument['steps'][number];
