import { randomUUID } from 'node:crypto';
import type { AuditSubject, AuditVerdict, Finding, Unscored } from '@tadpole/contracts';
import { auditTrajectory } from '../audit-trajectory.js';
import type { Judge, JudgePanel } from '../judge/judge.js';
import type { AuditWorkbench } from '../verify/audit-workbench.js';
import type { VerifyMemory } from '../verify/verify-context.js';
import { verifySubject } from '../verify/verify-subject.js';
import { decideVerdict } from './decide-verdict.js';

/** What rules saw, what execution said, and what follows. */
export interface SubjectAudit {
  readonly findings: readonly Finding[];
  /** Of rules that are only reported. */
  readonly observations: readonly Finding[];
  /** Whether a plain grader gives the reward; `undefined` when nothing tells. */
  readonly rewarded: boolean | undefined;
  /** What judges said, where they were asked; `Unscored` when none of them gave a judgement. */
  readonly panel?: JudgePanel | Unscored | undefined;
  readonly verdict: AuditVerdict;
}

/**
 * Audits a subject in full: rules, then checks by execution, then the verdict. Without a workbench the verdict rests on rules
 * alone.
 *
 * @throws TadpoleError as {@link auditTrajectory} and the workbench do.
 */
export async function auditSubject(options: {
  subject: AuditSubject;
  /** What the rules say. @default {@link auditTrajectory} with the default rules */
  screen?: (options: {
    subject: AuditSubject;
  }) => Promise<{ readonly findings: readonly Finding[]; readonly observations: readonly Finding[] }>;
  workbench?: AuditWorkbench | undefined;
  /** Asked where rules and execution leave the verdict open. One that gives no judgement changes nothing. @default nobody */
  judge?: Judge | undefined;
  /** Shared by audits whose tasks recur. @default a memory of its own */
  memory?: VerifyMemory;
  /** A word that cannot be guessed, new at each call. @default random */
  nonce?: () => string;
  signal?: AbortSignal | undefined;
}): Promise<SubjectAudit> {
  const { subject, screen = auditTrajectory, workbench, judge, memory, nonce = randomNonce, signal } = options;
  const { findings, observations } = await screen({ subject });
  const verification =
    workbench === undefined
      ? { rewarded: rewardOf(subject), checks: [] }
      : await verifySubject({ subject, findings, workbench, nonce, signal, ...(memory === undefined ? {} : { memory }) });
  const { rewarded, checks } = verification;
  const settled = decideVerdict({ findings, checks, rewarded });
  const panel = judge !== undefined && settled.verdict === 'unclear' ? await judge({ subject, findings, checks, signal }) : undefined;
  if (panel === undefined || 'status' in panel || !isAboutFindings(panel))
    return { findings, observations, rewarded, panel, verdict: settled };
  return { findings, observations, rewarded, panel, verdict: decideVerdict({ findings, checks: [...checks, panel.check], rewarded }) };
}

/** A judgement that names no finding says nothing that can be looked up. */
function isAboutFindings({ check }: JudgePanel): boolean {
  return check.about.length > 0;
}

function rewardOf({ outcome }: AuditSubject): boolean | undefined {
  return outcome?.status === 'scored' ? outcome.reward > 0 : undefined;
}

function randomNonce(): string {
  return randomUUID().replaceAll('-', '');
}
