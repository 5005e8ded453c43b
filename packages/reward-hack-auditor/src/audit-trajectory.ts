import { type AuditRule, type Finding, TadpoleError, type Task, type Trajectory } from '@tadpole/contracts';
import { defaultRules } from './default-rules.js';
import { evidenceText } from './evidence-text.js';

/**
 * Runs rules over a trajectory and its final patch. What comes back is a screen, not a verdict: a
 * rule sees what was done, never whether it changed the score.
 *
 * @throws TadpoleError `invalid-input` when a rule quotes what does not stand where it says, since a finding
 * that cannot be checked is worth nothing.
 */
export function auditTrajectory(options: {
  task: Task;
  trajectory: Trajectory;
  /** @default {@link defaultRules} */
  rules?: readonly AuditRule[];
}): readonly Finding[] {
  const { task, trajectory, rules = defaultRules() } = options;
  const findings = rules.flatMap((rule) => rule.check({ task, trajectory, patch: trajectory.patch }));
  for (const finding of findings) {
    for (const evidence of finding.evidence) {
      const quoted = evidenceText({ trajectory, evidence }).slice(evidence.start, evidence.end);
      if (quoted === evidence.quote) continue;
      throw new TadpoleError({
        code: 'invalid-input',
        message: `Expected rule ${finding.ruleId} to quote its ${evidence.source} verbatim at [${evidence.start}, ${evidence.end}), but "${quoted}" stands there instead of "${evidence.quote}".`,
      });
    }
  }
  return findings;
}
