import { gateSchema, taskDataSchema } from '@tadpole/contracts';
import { z } from 'zod';
import type { StatementFacts } from '../statement/write-statement.js';
import type { GeneratedTaskData, TaskDraft } from './task-draft.js';

const file = z.string().min(1);

/** Edits of a tree, as plain data. */
export const treeEditSchema = z.union([
  z.strictObject({ file, content: z.string().nullable() }),
  z.strictObject({ file, start: z.int().nonnegative(), end: z.int().nonnegative(), text: z.string() }),
]);

const exampleSchema = z.strictObject({
  setup: z.string(),
  call: z.string(),
  expected: z.string(),
  observed: z.string().exactOptional(),
  entryPoint: z.string(),
  module: z.string(),
  moduleName: z.string().exactOptional(),
  outcome: z.enum(['value', 'type', 'error', 'no-error', 'other-error', 'hang']),
  fence: z.string(),
});

const contractSchema = z.strictObject({
  signature: z.string().exactOptional(),
  doc: z.string().exactOptional(),
  examples: z.array(z.strictObject({ input: z.string(), value: z.string() })),
});

const factsSchema: z.ZodType<StatementFacts> = z.strictObject({
  file,
  functionName: z.string().exactOptional(),
  contract: contractSchema.exactOptional(),
  example: exampleSchema.exactOptional(),
  line: z.int().positive(),
  lineText: z.string(),
  region: z.strictObject({ start: z.int().positive(), end: z.int().positive() }),
  testName: z.string(),
  expected: z.string().exactOptional(),
  observed: z.string().exactOptional(),
  error: z.string().exactOptional(),
  further: z
    .array(
      z.strictObject({
        testName: z.string(),
        expected: z.string().exactOptional(),
        observed: z.string().exactOptional(),
        error: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  asked: z
    .array(z.strictObject({ test: z.string(), line: z.int().positive(), kind: z.enum(['message', 'private-name']), text: z.string() }))
    .exactOptional(),
});

const generatedDataSchema = taskDataSchema.refine(
  ({ verifier, lineage }) => verifier.kind === 'tests' && lineage.kind === 'generated',
  'expected a generated task that named tests grade',
) as unknown as z.ZodType<GeneratedTaskData>;

/** A {@link TaskDraft} as it is kept between checkpoints. */
export const taskDraftSchema: z.ZodType<TaskDraft> = z.strictObject({
  candidateId: z.string().min(1),
  data: generatedDataSchema,
  facts: factsSchema,
  edits: z.array(treeEditSchema),
  agentFiles: z.array(z.strictObject({ path: file, text: z.string().nullable() })),
  goldPatch: z.string(),
  bugPatch: z.string(),
  hiddenTests: z.array(z.strictObject({ file, content: z.string() })),
  hiddenPaths: z.array(z.string()),
  hiddenFiles: z.array(z.string()),
  hiddenTestsHash: z.string(),
  gates: z.array(gateSchema),
});
