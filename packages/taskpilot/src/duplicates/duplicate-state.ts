import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** One task that a duplicate filter remembers. It holds hashes of the task and no text of it. */
export const rememberedTaskSchema = z.strictObject({
  id: z.string().min(1),
  /** `held-out` tasks are looked for, too, and count for no quota. */
  role: z.enum(['accepted', 'held-out']),
  /** The run that accepted it; quotas are counted within a run. */
  run: z.string(),
  repository: z.string(),
  file: z.string(),
  enclosingFunction: z.string().nullable(),
  operator: z.string().nullable(),
  keys: z.strictObject({
    patch: sha256Schema.nullable(),
    site: sha256Schema,
    statement: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .nullable(),
    tokens: z.array(z.int().min(0).max(0xffffffff)).readonly(),
  }),
});
/** See {@link rememberedTaskSchema}. */
export type RememberedTask = z.infer<typeof rememberedTaskSchema>;

/** What a duplicate filter knows, to be kept as JSON across iterations and runs. */
export const duplicateStateSchema = z.strictObject({
  version: z.literal(1),
  /** In the order of acceptance. */
  tasks: z.array(rememberedTaskSchema).readonly(),
});
/** See {@link duplicateStateSchema}. */
export type DuplicateState = z.infer<typeof duplicateStateSchema>;

/**
 * Parses a kept state.
 * @throws TadpoleError `invalid-input` when it has another form.
 */
export function parseDuplicateState(state: unknown): DuplicateState {
  const parsed = duplicateStateSchema.safeParse(state);
  if (parsed.success) return parsed.data;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected the state of a duplicate filter (version 1), got something else: ${z.prettifyError(parsed.error)} Give what state() returned, or none.`,
    cause: parsed.error,
  });
}
