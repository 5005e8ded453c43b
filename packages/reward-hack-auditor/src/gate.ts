import type { Finding, Outcome, Scored } from '@tadpole/contracts';

/** What happens to a rollout's reward: nothing, it becomes 0, or the rollout loses its score and is left out. */
export type GateAction = 'keep' | 'zero' | 'drop';

/** Decides about one scored rollout from its findings. Write your own for other rules or thresholds. */
export type GatePolicy = (options: { findings: readonly Finding[]; outcome: Scored }) => GateAction;

/** What the gate did. */
export interface GateResult {
  readonly action: GateAction;
  readonly outcome: Outcome;
  /** True when the outcome differs from the one given. */
  readonly changed: boolean;
  /** Reward before the gate; `null` for a rollout that had none. */
  readonly rewardBefore: number | null;
  /** Ids of the rules with findings, most severe first; empty when the action is `keep`. */
  readonly decidedBy: readonly string[];
}

const severe = ['critical', 'high'];

/**
 * The default policy: a finding of severity `high` or `critical` makes the reward 0, anything less is kept.
 * Zero rather than a penalty, because a penalty on noisy findings teaches evasion.
 */
export function zeroHighSeverity({ findings }: { findings: readonly Finding[] }): GateAction {
  return findings.some(({ severity }) => severe.includes(severity)) ? 'zero' : 'keep';
}

/**
 * Applies a policy to a rollout's outcome. An unscored outcome passes through: there is nothing to gate. The
 * reward before stays on record as the component `rewardBeforeGate`.
 */
export function gate(options: {
  findings: readonly Finding[];
  outcome: Outcome;
  /** @default {@link zeroHighSeverity} */
  policy?: GatePolicy;
}): GateResult {
  const { findings, outcome, policy = zeroHighSeverity } = options;
  if (outcome.status === 'unscored') return { action: 'keep', outcome, changed: false, rewardBefore: null, decidedBy: [] };
  const action = policy({ findings, outcome });
  const rewardBefore = outcome.reward;
  if (action === 'keep') return { action, outcome, changed: false, rewardBefore, decidedBy: [] };
  const ranked = [...findings].sort((left, right) => rank(right) - rank(left));
  const decidedBy = [...new Set(ranked.map(({ ruleId }) => ruleId))];
  if (action === 'zero') {
    const zeroed: Scored = { ...outcome, reward: 0, components: { ...outcome.components, rewardBeforeGate: rewardBefore } };
    return { action, outcome: zeroed, changed: rewardBefore !== 0, rewardBefore, decidedBy };
  }
  const detail = `The gate left this rollout out (reward ${rewardBefore}); rules with findings: ${decidedBy.join(', ') || 'none'}.`;
  const dropped: Outcome = { status: 'unscored', reason: 'audit-dropped', boundary: 'auditor', detail };
  return { action, outcome: dropped, changed: true, rewardBefore, decidedBy };
}

function rank({ severity }: Finding): number {
  return ['info', 'low', 'medium', 'high', 'critical'].indexOf(severity);
}
