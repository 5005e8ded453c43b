import type { Certificate, Gate, OwnedSandbox, Task } from '@tadpole/contracts';
import { auditEnvironment, readAuditTask } from '@tadpole/reward-hack-auditor';

/**
 * Looks in a sandbox of a task, as the agent gets it, for what a policy must not reach there. The gate holds when nothing is found;
 * its evidence names what was. It refuses nothing by itself: a certificate carries it, for people and tools to see.
 *
 * @throws TadpoleError `sandbox`, `aborted`.
 */
export async function environmentGate(options: {
  task: Task;
  /** Opens a sandbox of the task; it is thrown away afterwards. */
  openSandbox(task: Task, signal: AbortSignal): Promise<OwnedSandbox>;
  /** @default none: it goes on to its end */
  signal?: AbortSignal | undefined;
}): Promise<Gate> {
  const { task, signal = new AbortController().signal } = options;
  const sandbox = await options.openSandbox(task, signal);
  try {
    const exposures = await auditEnvironment({ sandbox, task: await readAuditTask(task), signal });
    const found = exposures.flatMap(({ id, found: lines }) => lines.map((line) => `${id}: ${line}`));
    return { name: 'environment-shows-nothing', passed: found.length === 0, evidence: { exposures, detail: found.join('; ') } };
  } finally {
    await sandbox.dispose();
  }
}

/** The certificate with one more gate. */
export function withGate(options: { certificate: Certificate; gate: Gate }): Certificate {
  const { certificate, gate } = options;
  return { ...certificate, gates: [...certificate.gates, gate] };
}
