import { type PolicyResponse, TadpoleError, type Usage } from '@tadpole/contracts';
import { z } from 'zod';
import { estimateTokens } from '../loop/estimate-tokens.js';
import type { ChatRequest } from './chat-request.js';

/** United States dollars for a million tokens. */
export interface TokenPrice {
  readonly promptPerMillion: number;
  readonly completionPerMillion: number;
}

const bodySchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({
          content: z.string().nullish(),
          reasoning_content: z.string().nullish(),
          tool_calls: z
            .array(z.looseObject({ id: z.string().nullish(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.looseObject({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) }).nullish(),
});

const LENGTH_REASONS: readonly unknown[] = ['length', 'max_tokens', 'max_new_tokens'];

/**
 * Reads the body of a successful response. An endpoint may send an error frame with status 200: that is a failure of
 * the policy. Where it sends no usage, tokens are estimated from the text, so that the limits still hold.
 *
 * @throws TadpoleError `policy` for an error frame or a body without a message.
 */
export function chatResponse(options: { body: unknown; request: ChatRequest; price?: TokenPrice }): PolicyResponse {
  const parsed = bodySchema.safeParse(options.body);
  if (!parsed.success) {
    const received = JSON.stringify(options.body)?.slice(0, 300) ?? 'nothing';
    throw new TadpoleError({
      code: 'policy',
      message: `Expected a chat completion with a choice, received ${received}. Look at the endpoint's log.`,
    });
  }
  const [choice] = parsed.data.choices;
  const { content, reasoning_content: reasoning, tool_calls: calls } = choice!.message;
  const turn = options.request.messages.filter((message) => (message as { role?: unknown }).role === 'assistant').length;
  const message = {
    role: 'assistant' as const,
    content: content ?? '',
    ...(reasoning ? { reasoning } : {}),
    toolCalls: (calls ?? []).map((call, index) => ({ id: call.id || `call_${turn}_${index}`, ...nameAndArguments(call.function) })),
  };
  const { usage } = parsed.data;
  const tokens =
    usage === null || usage === undefined
      ? {
          promptTokens: estimateTokens(JSON.stringify(options.request.messages)),
          completionTokens: estimateTokens(JSON.stringify(message)),
        }
      : { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
  return {
    message,
    usage: withCost(tokens, options.price),
    stopReason: LENGTH_REASONS.includes(choice!.finish_reason) ? 'length' : 'stop',
  };
}

function nameAndArguments(call: { name: string; arguments: string }): { name: string; arguments: string } {
  return { name: call.name, arguments: call.arguments };
}

function withCost(usage: Usage, price: TokenPrice | undefined): Usage {
  if (price === undefined) return usage;
  return {
    ...usage,
    costUsd: (usage.promptTokens * price.promptPerMillion + usage.completionTokens * price.completionPerMillion) / 1_000_000,
  };
}
