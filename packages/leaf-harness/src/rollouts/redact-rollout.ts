import type { Redactor } from '../secrets/create-redactor.js';
import { redactTrajectory } from '../secrets/redact-trajectory.js';
import { redactValue } from '../secrets/redact-value.js';
import type { RolloutEnd } from './rollout-end.js';

/**
 * A rollout without secrets, as it is yielded and kept. A rollout for training whose text held one is `Unscored` with
 * the reason `redacted`: it has no tokens that may be trained on. One for calibration or evaluation keeps its score.
 */
export function redactRollout(end: RolloutEnd, options: { redactor: Redactor }): RolloutEnd {
  const trajectory = redactTrajectory(end.trajectory, options);
  const { outcome, failedAttempts } = redactValue({ outcome: end.outcome, failedAttempts: end.failedAttempts }, options).value;
  const redacted = { ...end, trajectory, outcome, failedAttempts };
  if (trajectory.redactions === undefined || end.purpose !== 'train' || outcome.status === 'unscored') return redacted;
  const detail = `the rollout's text held ${trajectory.redactions} secrets; keep them out of the sandbox and of the task`;
  return { ...redacted, outcome: { status: 'unscored', reason: 'redacted', boundary: 'harness', detail } };
}
