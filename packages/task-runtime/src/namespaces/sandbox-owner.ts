import { z } from 'zod';

/** Name of the file that says whose a sandbox folder is. */
export const ownerFile = 'owner.json';

/** Labels of a sandbox folder: enough to tell whether its owner lives, and to remove everything that belongs to it. */
export const sandboxOwnerSchema = z.strictObject({
  runId: z.string(),
  pid: z.int(),
  /** Start of that process in clock ticks since boot, as process ids are used again. */
  processStart: z.string(),
  startedAt: z.string(),
  controlGroup: z.strictObject({ version: z.union([z.literal(1), z.literal(2)]), directories: z.array(z.string()).readonly() }).optional(),
});
/** See {@link sandboxOwnerSchema}. */
export type SandboxOwner = z.infer<typeof sandboxOwnerSchema>;
