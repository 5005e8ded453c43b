import type { StopReason } from '@tadpole/contracts';
import type { AgentLimits } from './agent-limits.js';
import type { AgentState } from './agent-state.js';

/** Asked after every turn whose tools have run: a reason ends the run, `undefined` lets it go on. Must not throw. */
export interface StopCondition {
  (state: AgentState): StopReason | undefined;
  /** What it stops at, for the harness fingerprint; two conditions of one id must stop alike. @default none: the fingerprint says `unnamed` */
  readonly id?: string;
}

/** Stops after `count` model calls. */
export function maxTurns(count: number): StopCondition {
  return named(`maxTurns(${count})`, ({ turns }) => (turns.length >= count ? 'max-turns' : undefined));
}

/** Stops when prompt, completion and the tools' answers fill `tokens` of context. */
export function maxContextTokens(tokens: number): StopCondition {
  return named(`maxContextTokens(${tokens})`, ({ contextTokens }) => (contextTokens >= tokens ? 'max-context' : undefined));
}

/** Stops after a turn of `tokens` completion tokens or more, also one that ended by itself. */
export function maxTokensPerTurn(tokens: number): StopCondition {
  return named(`maxTokensPerTurn(${tokens})`, ({ turns }) =>
    (turns.at(-1)?.usage.completionTokens ?? 0) >= tokens ? 'max-tokens-per-turn' : undefined,
  );
}

/** Stops when all turns together have `tokens` completion tokens. */
export function maxGeneratedTokens(tokens: number): StopCondition {
  return named(`maxGeneratedTokens(${tokens})`, ({ usage }) => (usage.completionTokens >= tokens ? 'max-generated-tokens' : undefined));
}

/** Stops after `milliseconds` of wall time, once the turn at work has ended; `limits.wallTimeMs` also interrupts it. */
export function maxWallTime(milliseconds: number): StopCondition {
  return named(`maxWallTime(${milliseconds})`, ({ elapsedMs }) => (elapsedMs >= milliseconds ? 'max-time' : undefined));
}

/** Stops when the policy has reported a cost of `usd` United States dollars; one that reports none never gets there. */
export function maxCost(usd: number): StopCondition {
  return named(`maxCost(${usd})`, ({ usage }) => ((usage.costUsd ?? 0) >= usd ? 'max-cost' : undefined));
}

/** Stops when the same call has failed `count` times in a row with the same answer. */
export function maxRepeatedInvalidCalls(count: number): StopCondition {
  return named(`maxRepeatedInvalidCalls(${count})`, ({ repeatedFailures }) =>
    repeatedFailures >= count ? 'repeated-invalid-calls' : undefined,
  );
}

/** The limits that bound every run, in the order in which they give the reason. */
export function limitConditions(limits: AgentLimits): readonly StopCondition[] {
  return [
    maxContextTokens(limits.maxContextTokens),
    maxGeneratedTokens(limits.maxGeneratedTokens),
    maxCost(limits.maxCostUsd),
    maxWallTime(limits.wallTimeMs),
    maxTurns(limits.maxTurns),
    maxRepeatedInvalidCalls(limits.repeatedInvalidCalls),
  ];
}

function named(id: string, condition: (state: AgentState) => StopReason | undefined): StopCondition {
  return Object.assign(condition, { id });
}
