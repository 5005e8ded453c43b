import type { AuditSubject, AuditVerdict, Finding } from '@tadpole/contracts';
import { type AuditWorkbench, auditSubject, createVerifyMemory } from '@tadpole/reward-hack-auditor';
import { createAuditWorkbench } from './create-audit-workbench.js';

/** Gives a verdict about a rollout from what rules saw in it. */
export type VerifyRollout = (options: {
  subject: AuditSubject;
  findings: readonly Finding[];
  signal?: AbortSignal | undefined;
}) => Promise<AuditVerdict>;

/** A verifier with what it holds open. */
export interface ExecutionVerifier {
  readonly verify: VerifyRollout;
  /** Ends every sandbox and removes what was written. */
  close(): Promise<void>;
}

/**
 * Verdicts by execution in sandboxes of this machine. Nothing is opened before the first verdict is asked for; executions of a task's base
 * and gold serve all of its rollouts. How long a check took is left out: the same rollout gets the same verdict.
 *
 * @throws TadpoleError as `createAuditWorkbench` does, at the first verdict.
 */
export function createExecutionVerifier(options: { nodeModules: string }): ExecutionVerifier {
  const memory = createVerifyMemory();
  let opened: Promise<AuditWorkbench> | undefined;
  return {
    async verify({ subject, findings, signal }) {
      opened ??= createAuditWorkbench(options);
      const screen = async () => ({ findings, observations: [] });
      const { verdict } = await auditSubject({ subject, screen, workbench: await opened, memory, signal });
      return { ...verdict, checks: verdict.checks.map(({ cpuMs: _, ...check }) => check) };
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
