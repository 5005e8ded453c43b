import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

const countShape = { successes: z.int().nonnegative(), trials: z.int().nonnegative() };
const isCount = ({ successes, trials }: { successes: number; trials: number }) => successes <= trials;
const atMostTrials = { message: 'expected successes of at most trials' };

/** A child of a move with the scored rollouts of it and of its parents, all at one checkpoint. */
export const movedChildSchema = z
  .strictObject({
    move: z.string().min(1),
    parents: z.array(z.strictObject(countShape).refine(isCount, atMostTrials)).min(1).readonly(),
    ...countShape,
  })
  .refine(isCount, atMostTrials);
/** See {@link movedChildSchema}. */
export type MovedChild = z.infer<typeof movedChildSchema>;

/** All that moves' effects were learned from, oldest first: plain data that goes from one run to another. */
export const moveEffectsStateSchema = z.strictObject({ children: z.array(movedChildSchema).readonly() });
/** See {@link moveEffectsStateSchema}. */
export type MoveEffectsState = z.infer<typeof moveEffectsStateSchema>;

/** A state from a file's content. @throws TadpoleError `invalid-input` that names the first field that is wrong. */
export function parseMoveEffectsState(value: unknown): MoveEffectsState {
  const result = moveEffectsStateSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected the state of move effects, got ${issue?.message} at ${issue?.path.join('.') || 'its top'}; give a value that state() returned.`,
    cause: result.error,
  });
}
