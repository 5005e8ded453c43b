import type { Usage } from '@tadpole/contracts';
import type { CallBudget, Spent } from './model-call.js';

/** Adds up what requests cost. */
export interface Ledger {
  add(usage: Usage): void;
  spent(): Spent;
  /** Some bound of the budget is reached. */
  isExhausted(): boolean;
}

/** A ledger of nothing yet. `hasPrice`: whether sums have dollars. */
export function createLedger(options: { budget: CallBudget; hasPrice: boolean }): Ledger {
  const { budget, hasPrice } = options;
  let [calls, promptTokens, completionTokens, costUsd] = [0, 0, 0, 0];
  return {
    add(usage) {
      calls += 1;
      promptTokens += usage.promptTokens;
      completionTokens += usage.completionTokens;
      costUsd += usage.costUsd ?? 0;
    },
    spent: () => ({ calls, promptTokens, completionTokens, ...(hasPrice ? { costUsd } : {}) }),
    isExhausted: () =>
      calls >= (budget.calls ?? Number.POSITIVE_INFINITY) ||
      promptTokens + completionTokens >= (budget.tokens ?? Number.POSITIVE_INFINITY) ||
      costUsd >= (budget.costUsd ?? Number.POSITIVE_INFINITY),
  };
}
