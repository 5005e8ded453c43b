import { availableParallelism } from 'node:os';
import { auditSubject, createVerifyMemory, type SubjectAudit } from '@tadpole/reward-hack-auditor';
import { createAuditWorkbench } from 'tadpole';
import type { LabelledSubject } from './read-cases.js';

/** A case with what the auditor said, and what that cost. */
export interface AuditedCase extends LabelledSubject {
  readonly audit: SubjectAudit;
  /** Processor seconds of its checks, without what a memory already had. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

/** Audits cases in real sandboxes, some at a time. Tasks that recur are run once. */
export async function auditCases(options: {
  cases: readonly LabelledSubject[];
  /** False for rules alone. @default true */
  execution?: boolean;
  /** @default at most 2 */
  concurrency?: number;
  onCase?: (audited: AuditedCase) => void;
}): Promise<readonly AuditedCase[]> {
  const { cases, execution = true, concurrency = Math.min(2, availableParallelism()), onCase } = options;
  const workbench = execution ? await createAuditWorkbench() : undefined;
  const memory = createVerifyMemory();
  const waiting = [...cases];
  const audited: AuditedCase[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const begun = performance.now();
      const audit = await auditSubject({ subject: next.subject, workbench, memory });
      const cpuMs = audit.verdict.checks.reduce((sum, check) => sum + (check.cpuMs ?? 0), 0);
      const done = { ...next, audit, cpuSeconds: cpuMs / 1000, wallSeconds: (performance.now() - begun) / 1000 };
      audited.push(done);
      onCase?.(done);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    await workbench?.close();
  }
  return audited.sort((left, right) => (left.labelled.id < right.labelled.id ? -1 : 1));
}
