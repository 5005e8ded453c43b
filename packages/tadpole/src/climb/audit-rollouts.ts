import type { AuditTask, Finding, Scored, TadpoleEvent } from '@tadpole/contracts';
import { auditTrajectory, gate, readAuditTask, subjectOfTrajectory } from '@tadpole/reward-hack-auditor';
import type { ClimbContext } from './climb-context.js';
import type { FinishedRollout } from './roll-out-journaled.js';

/** A rollout that passed the gate with a score. */
export interface GatedRollout extends FinishedRollout {
  readonly outcome: Scored;
}

/**
 * Audits rollouts, verifies what is suspicious, and lets the gate decide over their rewards; journals every audit. Returns those that still
 * have a score; the unscored and the dropped are left out, never turned into zeros.
 */
export async function* auditRollouts(options: {
  context: ClimbContext;
  iteration: number;
  rollouts: readonly FinishedRollout[];
}): AsyncGenerator<TadpoleEvent, readonly GatedRollout[]> {
  const { context, iteration, rollouts } = options;
  const gated: GatedRollout[] = [];
  const tasks = new Map<string, AuditTask>();
  for (const rollout of rollouts) {
    if (rollout.outcome.status === 'unscored') continue;
    const { task, trajectory } = rollout;
    const auditTask = tasks.get(task.data.id) ?? (await readAuditTask(task));
    tasks.set(task.data.id, auditTask);
    const subject = subjectOfTrajectory({ task: auditTask, trajectory, outcome: rollout.outcome });
    const { findings, observations } = await auditTrajectory({ subject, rules: context.rules });
    const { verify, signal } = context.options;
    const verdict = verify !== undefined && findings.some(isSuspicion) ? await verify({ subject, findings, signal }) : undefined;
    const { action, outcome, changed, rewardBefore } = gate({ findings, verdict, outcome: rollout.outcome, policy: context.gatePolicy });
    yield context.recordOnce({
      type: 'audit-end',
      iteration,
      trajectoryId: trajectory.id,
      taskId: task.data.id,
      findings: [...findings],
      ...(observations.length === 0 ? {} : { reported: [...observations] }),
      ...(verdict === undefined ? {} : { verdict }),
      action,
      ...(changed && rewardBefore !== null ? { rewardBefore } : {}),
    });
    if (outcome.status === 'scored') gated.push({ ...rollout, outcome });
  }
  return gated;
}

/** What verification can change something about. */
function isSuspicion({ severity, exoneratedBy }: Finding): boolean {
  return exoneratedBy === undefined && ['medium', 'high', 'critical'].includes(severity);
}
