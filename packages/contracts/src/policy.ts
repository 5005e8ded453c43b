import { z } from 'zod';
import type { AssistantMessage, Message } from './message.js';
import type { Sampling } from './sampling.js';
import type { ToolDefinition } from './tool.js';

/** Tokens and money of one or more model calls. */
export const usageSchema = z.strictObject({
  promptTokens: z.int().min(0),
  completionTokens: z.int().min(0),
  /** United States dollars; absent where the policy has no price. */
  costUsd: z.number().min(0).optional(),
  /** Some of the tokens were estimated from text, since the endpoint did not count them. @default all are counted */
  isEstimated: z.literal(true).optional(),
});
/** See {@link usageSchema}. */
export type Usage = z.infer<typeof usageSchema>;

/** The tokens of one turn, exactly as the sampler gave them. */
export const turnTokensSchema = z
  .strictObject({
    promptIds: z.array(z.int()).readonly(),
    completionIds: z.array(z.int()).readonly(),
    /** log q of each completion id, in nats; same length. */
    completionLogprobs: z.array(z.number()).readonly(),
    weightsVersion: z.string(),
  })
  .refine((tokens) => tokens.completionIds.length === tokens.completionLogprobs.length, {
    message: 'expected completionIds and completionLogprobs of equal length',
  });
/** See {@link turnTokensSchema}. */
export type TurnTokens = z.infer<typeof turnTokensSchema>;

/** A policy's answer to one request. */
export interface PolicyResponse {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  /** Present when the policy samples tokens itself or its endpoint returns them. */
  readonly tokens?: TurnTokens;
  /** `stop`: it ended its turn; `length`: the turn's token cap; `context`: no room was left. */
  readonly stopReason: 'stop' | 'length' | 'context';
}

/** Message level: what a harness talks to. */
export interface Policy {
  /** For records, for instance `embedded` or a model's name. */
  readonly name: string;
  /** @throws TadpoleError `policy` or `engine` when no answer could be had; `aborted` by the signal. */
  respond(options: {
    messages: readonly Message[];
    tools: readonly ToolDefinition[];
    sampling: Sampling;
    signal?: AbortSignal;
  }): Promise<PolicyResponse>;
}
