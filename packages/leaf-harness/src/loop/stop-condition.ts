import type { PolicyResponse, StopReason } from '@tadpole/contracts';
import type { AgentLimits } from './agent-limits.js';
import type { AgentState } from './agent-state.js';

/** Asked after every turn whose tools have run: a reason ends the run, `undefined` lets it go on. Must not throw. */
export type StopCondition = (state: AgentState) => StopReason | undefined;

/** The limits of whole turns as one stop condition; the first that is reached gives the reason. `repeatedInvalidCalls` acts inside a turn. */
export function limitsReached(limits: AgentLimits): StopCondition {
  return (state) => {
    if (state.contextTokens >= limits.maxContextTokens) return 'max-context';
    if (state.usage.completionTokens >= limits.maxGeneratedTokens) return 'max-generated-tokens';
    if ((state.usage.costUsd ?? 0) >= limits.maxCostUsd) return 'max-cost';
    if (state.elapsedMs >= limits.wallTimeMs) return 'max-time';
    if (state.turns.length >= limits.maxTurns) return 'max-turns';
    return undefined;
  };
}

/**
 * Which limit cut a turn short (frognano.md section 2.1): the context when prompt and completion fill it, the
 * run's tokens, the turn's cap, and the context again when the endpoint stopped before the cap without a reason.
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
