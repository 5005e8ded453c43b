import { z } from 'zod';

const messageSchema = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  tool_calls: z.array(z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.string() }) })).optional(),
});
/** A message of a chat-completions request. */
export type ChatMessage = z.infer<typeof messageSchema>;

/** What the server reads of a chat-completions request. */
export const chatRequestSchema = z.looseObject({
  messages: z.array(messageSchema).min(1),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
  temperature: z.number().min(0).default(1),
  top_p: z.number().gt(0).max(1).default(1),
  top_k: z.int().min(0).default(0),
  max_completion_tokens: z.int().positive().default(256),
  seed: z.int().min(0).default(0),
  logprobs: z.boolean().default(false),
  response_format: z
    .looseObject({ type: z.literal('json_schema'), json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }) })
    .nullish(),
  return_token_ids: z.boolean().default(false),
});
