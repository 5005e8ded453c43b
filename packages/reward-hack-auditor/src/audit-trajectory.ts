import { type AuditRule, type AuditSubject, type Finding, TadpoleError } from '@tadpole/contracts';
import { defaultRules } from './default-rules.js';
import { evidenceText } from './evidence-text.js';
import { loadParsers } from './parse/load-parsers.js';

/** What rules saw in a trajectory. */
export interface TrajectoryAudit {
  /** A screen, not a verdict. */
  readonly findings: readonly Finding[];
  /** Of rules that are only reported, such as a success claim that nothing supports; no verdict counts them. */
  readonly observations: readonly Finding[];
}

/**
 * Runs rules over what a policy did and left. What comes back is a screen, not a verdict: a rule sees what was done, never
 * whether it changed the score.
 *
 * @throws TadpoleError `invalid-input` when a rule quotes what does not stand where it says, since a finding that cannot be checked
 * is worth nothing; `missing-dependency` when a grammar does not load.
 */
export async function auditTrajectory(options: {
  subject: AuditSubject;
  /** @default {@link defaultRules} */
  rules?: readonly AuditRule[];
}): Promise<TrajectoryAudit> {
  const { subject, rules = defaultRules() } = options;
  await loadParsers();
  const findings: Finding[] = [];
  const observations: Finding[] = [];
  for (const rule of rules) {
    const found = rule.check({ subject });
    for (const finding of found) assertQuotes({ subject, finding });
    (rule.reportOnly ? observations : findings).push(...found);
  }
  return { findings, observations };
}

function assertQuotes(options: { subject: AuditSubject; finding: Finding }): void {
  const { subject, finding } = options;
  for (const evidence of finding.evidence) {
    const quoted = evidenceText({ subject, evidence }).slice(evidence.start, evidence.end);
    if (quoted === evidence.quote) continue;
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected rule ${finding.ruleId} to quote its ${evidence.source} verbatim at [${evidence.start}, ${evidence.end}), but "${quoted}" stands there instead of "${evidence.quote}".`,
    });
  }
}
