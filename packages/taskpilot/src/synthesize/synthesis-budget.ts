import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

/** Where a synthesis gives up; at least one bound is named, since quotas with an endless generator would never be met. */
export interface SynthesisBudget {
  /** Rollouts asked for, those without a score included. */
  readonly rollouts?: number;
  /** United States dollars of rollouts and of `spentUsd`. */
  readonly usd?: number;
  /** Wall time from the call on, by `now`; once it is over by the machine's clock, candidates and rollouts in flight are ended too. */
  readonly wallTimeMs?: number;
  /** Validated candidates that are looked at. */
  readonly candidates?: number;
}

const budgetSchema = z
  .strictObject({
    rollouts: z.int().min(0).optional(),
    usd: z.number().min(0).optional(),
    wallTimeMs: z.number().min(0).optional(),
    candidates: z.int().min(0).optional(),
  })
  .refine((budget) => Object.values(budget).some((bound) => bound !== undefined), 'expected at least one bound');

/** What a timer can wait; a synthesis of over 24 days asks its clock before each candidate and round alone. */
const longestTimerMs = 2 ** 31 - 1;

/** Adds up what a synthesis costs. */
export interface CostMeter {
  /** `undefined` for a rollout whose price nothing says. @throws TadpoleError `invalid-config` for one under a bound in dollars. */
  add(costUsd: number | undefined): void;
  /** `undefined` while nothing has said a price. */
  total(): number | undefined;
  /** Whether the money or the time has run out. */
  isSpent(): boolean;
  /** Fires when the time has run out. */
  readonly deadline: AbortSignal;
  /** Lets the deadline go. */
  close(): void;
}

/** @throws TadpoleError `invalid-config` for a budget of another form or without a bound. */
export function openCostMeter(options: {
  budget: SynthesisBudget;
  /** Milliseconds. */
  now: () => number;
  spentUsd: () => number | undefined;
}): CostMeter {
  const { now, spentUsd } = options;
  const parsed = budgetSchema.safeParse(options.budget);
  if (!parsed.success) {
    throw new TadpoleError({
      code: 'invalid-config',
      message: `synthesize: expected a budget of rollouts, usd, wallTimeMs or candidates: ${z.prettifyError(parsed.error)}`,
    });
  }
  const { usd = Infinity, wallTimeMs = Infinity } = parsed.data;
  const startedMs = now();
  const deadline = new AbortController();
  const timer = wallTimeMs <= longestTimerMs ? setTimeout(() => deadline.abort(), wallTimeMs).unref() : undefined;
  let ofRollouts: number | undefined;
  const total = () => {
    const elsewhere = spentUsd();
    return ofRollouts === undefined && elsewhere === undefined ? undefined : (ofRollouts ?? 0) + (elsewhere ?? 0);
  };
  return {
    add(costUsd) {
      if (costUsd !== undefined && !(costUsd >= 0 && costUsd < Infinity)) {
        const message = `synthesize: expected a rollout's costUsd to be dollars from 0 on, got ${costUsd}; mend the policy.`;
        throw new TadpoleError({ code: 'invalid-input', message });
      }
      if (costUsd !== undefined) ofRollouts = (ofRollouts ?? 0) + costUsd;
      else if (usd !== Infinity) {
        const message =
          'synthesize: expected the price of every rollout under a budget in usd, got one without; give the policy a price, or bound something else.';
        throw new TadpoleError({ code: 'invalid-config', message });
      }
    },
    total,
    deadline: deadline.signal,
    close: () => clearTimeout(timer),
    isSpent: () => (total() ?? 0) >= usd || now() - startedMs >= wallTimeMs,
  };
}
