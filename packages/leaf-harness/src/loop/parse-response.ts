import {
  assistantMessageSchema,
  type PolicyResponse,
  TadpoleError,
  toolCallSchema,
  turnTokensSchema,
  usageSchema,
} from '@tadpole/contracts';
import { z } from 'zod';

const responseSchema = z.object({
  message: assistantMessageSchema.extend({ toolCalls: z.array(toolCallSchema) }),
  usage: usageSchema,
  tokens: turnTokensSchema.optional(),
  stopReason: z.enum(['stop', 'length', 'context']),
});

/**
 * A copy of a policy's answer, since a policy may use its objects again, or why it cannot be recorded: policies are also
 * written by users, and in JavaScript.
 */
export function parseResponse(response: unknown): { readonly answer: PolicyResponse } | { readonly unfit: TadpoleError } {
  const parsed = responseSchema.safeParse(response);
  if (parsed.success) return { answer: parsed.data };
  const issues = z.prettifyError(parsed.error).replaceAll('\n', ' ');
  return {
    unfit: new TadpoleError({
      code: 'policy',
      message: `expected an answer with message, usage and stopReason, received another: ${issues}`,
    }),
  };
}
