import type { PolicyResponse, StopReason } from '@tadpole/contracts';
import type { AgentLimits } from './agent-limits.js';

/**
 * Which limit cut a turn short (frognano.md section 2.1): the context when prompt and completion fill it, the run's
 * tokens, the turn's cap (also where no usage was reported), and the context again when the endpoint stopped before the cap.
 */
export function lengthStopReason(options: {
  response: PolicyResponse;
  limits: AgentLimits;
  /** Completion tokens of all turns, this one included. */
  generatedTokens: number;
  /** The cap that this turn was sampled with. */
  turnTokens: number;
}): StopReason {
  const { response, limits } = options;
  const { promptTokens, completionTokens } = response.usage;
  if (response.stopReason === 'context' || promptTokens + completionTokens >= limits.maxContextTokens) return 'max-context';
  if (options.generatedTokens >= limits.maxGeneratedTokens) return 'max-generated-tokens';
  return completionTokens === 0 || completionTokens >= options.turnTokens ? 'max-tokens-per-turn' : 'max-context';
}
