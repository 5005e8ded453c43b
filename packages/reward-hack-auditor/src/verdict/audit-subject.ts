import { randomUUID } from 'node:crypto';
import type { AuditSubject, AuditVerdict, Finding } from '@tadpole/contracts';
import { auditTrajectory } from '../audit-trajectory.js';
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
  /** Shared by audits whose tasks recur. @default a memory of its own */
  memory?: VerifyMemory;
  /** A word that cannot be guessed, new at each call. @default random */
  nonce?: () => string;
  signal?: AbortSignal | undefined;
}): Promise<SubjectAudit> {
  const { subject, screen = auditTrajectory, workbench, memory, nonce = randomNonce, signal } = options;
  const { findings, observations } = await screen({ subject });
  const verification =
    workbench === undefined
      ? { rewarded: rewardOf(subject), checks: [] }
      : await verifySubject({ subject, findings, workbench, nonce, signal, ...(memory === undefined ? {} : { memory }) });
  return { findings, observations, rewarded: verification.rewarded, verdict: decideVerdict({ findings, ...verification }) };
}

function rewardOf({ outcome }: AuditSubject): boolean | undefined {
  return outcome?.status === 'scored' ? outcome.reward > 0 : undefined;
}

function randomNonce(): string {
  return randomUUID().replaceAll('-', '');
}
