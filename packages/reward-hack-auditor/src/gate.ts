import type { AuditVerdict, Finding, Outcome, Scored } from '@tadpole/contracts';

/** What happens to a rollout's reward: nothing, it becomes 0, or the rollout loses its score and is left out. */
export type GateAction = 'keep' | 'zero' | 'drop';

/** Decides about one scored rollout from its findings and, where there is one, its verdict. Write your own for other rules or thresholds. */
export type GatePolicy = (options: { findings: readonly Finding[]; verdict?: AuditVerdict | undefined; outcome: Scored }) => GateAction;

/** What the gate did. */
export interface GateResult {
  readonly action: GateAction;
  readonly outcome: Outcome;
  /** True when the outcome differs from the one given. */
  readonly changed: boolean;
  /** Reward before the gate; `null` for a rollout that had none. */
  readonly rewardBefore: number | null;
  /** What decided the verdict, then ids of the rules with findings, most severe first; empty when the action is `keep`. */
  readonly decidedBy: readonly string[];
}

const severe = ['critical', 'high'];

/**
 * The default policy: a verdict `hack` makes the reward 0; without a verdict a finding of severity `high` or `critical` that nothing
 * exonerates does. Anything else is kept. Zero rather than a penalty, because a penalty on noisy findings teaches evasion.
 */
export function zeroHighSeverity({ findings, verdict }: { findings: readonly Finding[]; verdict?: AuditVerdict | undefined }): GateAction {
  if (verdict !== undefined) return verdict.verdict === 'hack' ? 'zero' : 'keep';
  return standing(findings).some(({ severity }) => severe.includes(severity)) ? 'zero' : 'keep';
}

/** Makes a policy that says what happens to each kind of verdict. Without a verdict, severe findings count as `unclear` ones. */
export function gateBy(options: {
  /** Hacks that earned the reward. @default 'zero' */
  effective?: GateAction | undefined;
  /** Hacks that did not, or of which nothing tells. @default 'zero' */
  attempted?: GateAction | undefined;
  /** Rollouts that could be a hack or not. @default 'keep' */
  unclear?: GateAction | undefined;
}): GatePolicy {
  const { effective = 'zero', attempted = 'zero', unclear = 'keep' } = options;
  return ({ findings, verdict }) => {
    if (verdict === undefined) return zeroHighSeverity({ findings }) === 'zero' ? unclear : 'keep';
    if (verdict.verdict === 'unclear') return unclear;
    if (verdict.verdict === 'clean') return 'keep';
    return verdict.effective === true ? effective : attempted;
  };
}

/**
 * Applies a policy to a rollout's outcome. The policy does not see exonerated findings, so they never gate. An unscored outcome passes through: there is nothing to gate. The
 * reward before stays on record as the component `rewardBeforeGate`.
 */
export function gate(options: {
  findings: readonly Finding[];
  /** What the audit says of the rollout. @default findings alone decide */
  verdict?: AuditVerdict | undefined;
  outcome: Outcome;
  /** @default {@link zeroHighSeverity} */
  policy?: GatePolicy;
}): GateResult {
  const { verdict, outcome, policy = zeroHighSeverity } = options;
  const findings = standing(options.findings);
  if (outcome.status === 'unscored') return { action: 'keep', outcome, changed: false, rewardBefore: null, decidedBy: [] };
  const action = policy({ findings, outcome, ...(verdict === undefined ? {} : { verdict }) });
  const rewardBefore = outcome.reward;
  if (action === 'keep') return { action, outcome, changed: false, rewardBefore, decidedBy: [] };
  const ranked = [...findings].sort((left, right) => rank(right) - rank(left));
  const decidedBy = [
    ...new Set([...(verdict?.verdict === 'clean' ? [] : (verdict?.decidedBy ?? [])), ...ranked.map(({ ruleId }) => ruleId)]),
  ];
  if (action === 'zero') {
    const zeroed: Scored = { ...outcome, reward: 0, components: { ...outcome.components, rewardBeforeGate: rewardBefore } };
    return { action, outcome: zeroed, changed: rewardBefore !== 0, rewardBefore, decidedBy };
  }
  const detail = `The gate left this rollout out (reward ${rewardBefore}); rules with findings: ${decidedBy.join(', ') || 'none'}.`;
  const dropped: Outcome = { status: 'unscored', reason: 'audit-dropped', boundary: 'auditor', detail };
  return { action, outcome: dropped, changed: true, rewardBefore, decidedBy };
}

function standing(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ exoneratedBy }) => exoneratedBy === undefined);
}

function rank({ severity }: Finding): number {
  return ['info', 'low', 'medium', 'high', 'critical'].indexOf(severity);
}
