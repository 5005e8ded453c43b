import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

/**
 * Upper bounds of one run of the agent; every one has a default, so that no run is unlimited by omission.
 * The cap on one turn's tokens is `sampling.maxTokens` (FrogNano: 8,192).
 */
export const agentLimitsSchema = z.strictObject({
  /** Model calls. FrogNano's training iterations 1 to 4 (frognano.md section 2.3). */
  maxTurns: z.int().positive().default(75),
  /** Prompt plus completion of the last call plus an estimate of what its tools answered, in tokens. FrogNano, as above. */
  maxContextTokens: z.int().positive().default(65_536),
  /** Completion tokens of all turns together. FrogNano states none; the context is the natural bound of one conversation. */
  maxGeneratedTokens: z.int().positive().default(65_536),
  /** Wall time of the whole run; a model call or a tool that still works then is stopped. FrogNano's newest cap is 10,800 s. */
  wallTimeMs: z.int().positive().max(2_147_483_647).default(10_800_000),
  /** United States dollars that the policy reports. FrogNano states none; it measured about 0.21 a task. */
  maxCostUsd: z.number().positive().default(2),
  /** Failures of the same call with the same arguments and the same answer in a row. FrogNano states none. */
  repeatedInvalidCalls: z.int().positive().default(5),
});
/** Limits with every default filled in. */
export type AgentLimits = z.output<typeof agentLimitsSchema>;
/** Limits as a caller gives them: any subset. */
export type AgentLimitsInput = z.input<typeof agentLimitsSchema>;

/** Fills in the defaults. @throws TadpoleError `invalid-config` for an unknown or ill-typed limit. */
export function parseAgentLimits(limits: AgentLimitsInput = {}): AgentLimits {
  const parsed = agentLimitsSchema.safeParse(limits);
  if (parsed.success) return parsed.data;
  throw new TadpoleError({ code: 'invalid-config', message: `Agent limits: ${z.prettifyError(parsed.error)}`, cause: parsed.error });
}
