import { assistantMessageSchema, type PolicyResponse, TadpoleError, toolCallSchema, usageSchema } from '@tadpole/contracts';
import { z } from 'zod';
import { unfitTokens } from './record-segments.js';

const responseSchema = z.object({
  message: assistantMessageSchema.extend({ toolCalls: z.array(toolCallSchema) }),
  usage: usageSchema,
  stopReason: z.enum(['stop', 'length', 'context']),
});

/** Why a policy's answer cannot be recorded: policies are also written by users, and in JavaScript. */
export function unfitResponse(response: PolicyResponse): TadpoleError | undefined {
  const parsed = responseSchema.safeParse(response);
  if (parsed.success) return response.tokens === undefined ? undefined : unfitTokens(response.tokens);
  const issues = z.prettifyError(parsed.error).replaceAll('\n', ' ');
  return new TadpoleError({
    code: 'policy',
    message: `expected an answer with message, usage and stopReason, received another: ${issues}`,
  });
}
