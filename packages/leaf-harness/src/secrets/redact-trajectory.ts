import type { Trajectory } from '@tadpole/contracts';
import type { Redactor } from './create-redactor.js';
import { redactValue } from './redact-value.js';

/**
 * The trajectory without secrets. Where one stood anywhere in it, all token segments go: their ids spell the secret,
 * and without the tokenizer nobody can say which of them do. Such a trajectory can be read and not be trained on;
 * `redactions` says how many secrets there were.
 */
export function redactTrajectory(trajectory: Trajectory, options: { redactor: Redactor }): Trajectory {
  const { segments, ...text } = trajectory;
  const { value, count } = redactValue(text, options);
  if (count === 0) return trajectory;
  return { ...value, segments: [], redactions: (trajectory.redactions ?? 0) + count };
}
