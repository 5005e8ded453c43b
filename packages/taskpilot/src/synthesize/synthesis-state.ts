import { type Candidate, TadpoleError, taskTypeSchema } from '@tadpole/contracts';
import { z } from 'zod';
import { bankSchema, emptyBank } from '../calibrate/bank.js';
import { duplicateStateSchema } from '../duplicates/duplicate-state.js';
import { mixDimensions, type TaskMix } from '../duplicates/task-mix.js';
import type { CandidateFacts } from '../generator/candidate-facts.js';
import { moveEffectsStateSchema } from '../refine/move-effects-state.js';
import { taskDraftSchema, treeEditSchema } from '../validate/task-draft-schema.js';

const candidateSchema: z.ZodType<Candidate> = z.strictObject({
  edits: z.array(treeEditSchema),
  solution: z.array(treeEditSchema).exactOptional(),
  hiddenTests: z.array(z.strictObject({ file: z.string(), content: z.string() })).exactOptional(),
  partTests: z.array(z.array(z.string())).exactOptional(),
  statement: z.string().exactOptional(),
  lineage: z.strictObject({
    generator: z.string(),
    operator: z.string(),
    file: z.string(),
    line: z.int(),
    taskType: taskTypeSchema.exactOptional(),
    parts: z.array(z.string()).exactOptional(),
  }),
});

const factsSchema = z.strictObject({
  family: z.string().nullable(),
  files: z.int(),
  edits: z.int(),
  changedLines: z.int(),
  functionName: z.string().nullable(),
  functionLines: z.int().nullable(),
}) as unknown as z.ZodType<CandidateFacts>;

const shares = z.record(z.string(), z.number());
const mixSchema: z.ZodType<TaskMix> = z.strictObject(
  Object.fromEntries(mixDimensions.map((dimension) => [dimension, shares])) as Record<(typeof mixDimensions)[number], typeof shares>,
);

/** A task that was measured and not admitted, with all that is needed to measure it again or to refine it. */
export const keptTaskSchema = z.strictObject({
  draft: taskDraftSchema,
  candidate: candidateSchema,
  facts: factsSchema,
  parents: z.array(z.string()),
  steps: z.int().nonnegative(),
});
/** See {@link keptTaskSchema}. */
export type KeptTask = z.infer<typeof keptTaskSchema>;

/**
 * What a synthesis hands to the next checkpoint, as plain JSON data: the bank of measurements with the drafts behind it, the
 * keys of accepted tasks, what the moves were seen to do, and the mix of the first iteration.
 */
export const synthesisStateSchema = z.strictObject({
  version: z.literal(1),
  bank: bankSchema,
  tasks: z.array(keptTaskSchema),
  duplicates: duplicateStateSchema,
  effects: moveEffectsStateSchema,
  /** Null before an iteration that admitted a task. */
  firstMix: mixSchema.nullable(),
});
/** See {@link synthesisStateSchema}. */
export type SynthesisState = z.infer<typeof synthesisStateSchema>;

/** The state before the first iteration. */
export function emptySynthesisState(): SynthesisState {
  return { version: 1, bank: emptyBank(), tasks: [], duplicates: { version: 1, tasks: [] }, effects: { children: [] }, firstMix: null };
}

/** A state from a file's content. @throws TadpoleError `invalid-input` that says what is wrong. */
export function parseSynthesisState(value: unknown): SynthesisState {
  const parsed = synthesisStateSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected the state that synthesize returned (version 1), got something else: ${z.prettifyError(parsed.error)}`,
    cause: parsed.error,
  });
}
