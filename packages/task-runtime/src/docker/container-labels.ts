import { hostname } from 'node:os';
import { z } from 'zod';
import { processStart } from '../namespaces/process-tree.js';

const prefix = 'tadpole.sandbox';

/** Whose a container is: enough to tell whether its owner lives. */
const containerOwnerSchema = z.object({
  [`${prefix}.run`]: z.string(),
  [`${prefix}.host`]: z.string(),
  [`${prefix}.pid`]: z.coerce.number().pipe(z.int().positive()),
  /** Start of that process in clock ticks since boot, as process ids are used again; empty where the system does not tell. */
  [`${prefix}.process-start`]: z.string(),
  [`${prefix}.started-at`]: z.string(),
});

/** Label that every container of a sandbox carries. */
export const sandboxLabel = `${prefix}.pid`;

/** Labels of a container that this process owns. */
export function ownLabels(options: { runId: string; startedAt: string }): Readonly<Record<string, string>> {
  return {
    [`${prefix}.run`]: options.runId,
    [`${prefix}.host`]: hostname(),
    [`${prefix}.pid`]: String(process.pid),
    [`${prefix}.process-start`]: processStart(process.pid) ?? '',
    [`${prefix}.started-at`]: options.startedAt,
  };
}

/** Whether a container's owner ran on this machine and is gone; `false` where the labels do not tell. */
export function isOrphan(labels: unknown): boolean {
  const owner = containerOwnerSchema.safeParse(labels);
  if (!owner.success || owner.data[`${prefix}.host`] !== hostname()) return false;
  const pid = owner.data[`${prefix}.pid`] as number;
  const start = owner.data[`${prefix}.process-start`];
  if (start !== '') return processStart(pid) !== start;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
