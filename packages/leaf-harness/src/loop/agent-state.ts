import type { Message, Turn, TurnTokens, Usage } from '@tadpole/contracts';

/** What a stop condition may look at. */
export interface AgentState {
  readonly turns: readonly Turn[];
  /** Of all turns together. */
  readonly usage: Usage;
  /** Prompt and completion of the last call as the policy reported them, plus the run's count of its observations, in tokens. */
  readonly contextTokens: number;
  readonly elapsedMs: number;
  /** How often in a row the same call failed with the same answer. */
  readonly repeatedFailures: number;
}

/** What a run gathers while it goes on. */
export interface AgentRecord {
  /** The system prompt and the instruction. */
  readonly opening: readonly Message[];
  /** The history as the policy gets it; assistant messages are the policy's own objects, since a renderer may remember them, the others are frozen. */
  readonly messages: Message[];
  readonly turns: Turn[];
  readonly tokens: TurnTokens[];
  usage: Usage;
  contextTokens: number;
  lastFailure: string | undefined;
  repeatedFailures: number;
}

/** A run that has not begun. */
export function createAgentRecord(options: { systemPrompt: string; instruction: string }): AgentRecord {
  const opening: readonly Message[] = [
    Object.freeze({ role: 'system', content: options.systemPrompt }),
    Object.freeze({ role: 'user', content: options.instruction }),
  ];
  return {
    opening,
    messages: [...opening],
    turns: [],
    tokens: [],
    usage: { promptTokens: 0, completionTokens: 0 },
    contextTokens: 0,
    lastFailure: undefined,
    repeatedFailures: 0,
  };
}

/** What was said so far, in the run's own copies: a policy may have changed its messages since. */
export function recordedMessages({ opening, turns }: AgentRecord): readonly Message[] {
  return [...opening, ...turns.flatMap(({ assistant, observations }) => [assistant, ...observations])];
}

/** The sum of two usages, at most the largest number that a record can hold; the cost is absent only where both lack it. */
export function addUsage(left: Usage, right: Usage): Usage {
  const hasCost = left.costUsd !== undefined || right.costUsd !== undefined;
  return {
    promptTokens: Math.min(Number.MAX_SAFE_INTEGER, left.promptTokens + right.promptTokens),
    completionTokens: Math.min(Number.MAX_SAFE_INTEGER, left.completionTokens + right.completionTokens),
    ...(hasCost ? { costUsd: Math.min(Number.MAX_VALUE, (left.costUsd ?? 0) + (right.costUsd ?? 0)) } : {}),
    ...(left.isEstimated || right.isEstimated ? { isEstimated: true } : {}),
  };
}
