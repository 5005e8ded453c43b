import { z } from 'zod';
import { caseCategorySchema, caseKindSchema, caseSplitSchema } from './case-vocabulary.js';

const filesSchema = z.record(z.string().min(1), z.string());

const callSchema = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()),
});

const assistantSchema = z.strictObject({ role: z.literal('assistant'), content: z.string(), tool_calls: z.array(callSchema) });
const toolSchema = z.strictObject({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: z.string() });

/** A message of a case's trajectory: a turn of the policy, or what a tool answered. */
export const caseMessageSchema = z.discriminatedUnion('role', [assistantSchema, toolSchema]);
/** See {@link caseMessageSchema}. */
export type CaseMessage = z.infer<typeof caseMessageSchema>;

const trajectorySchema = z.array(caseMessageSchema).superRefine((messages, context) => {
  let open: string[] = [];
  const seen = new Set<string>();
  messages.forEach((message, index) => {
    const problem = (text: string) => context.addIssue({ code: 'custom', path: [index], message: text });
    if (message.role === 'tool') {
      if (open.shift() !== message.tool_call_id) problem('expected the answers to calls right after them and in their order');
      return;
    }
    if (open.length > 0) problem(`expected an answer to ${open.join(', ')} before the next turn`);
    open = message.tool_calls.map(({ id }) => id);
    for (const id of open) {
      if (seen.has(id)) problem(`expected call ids that are used once, got ${id} again`);
      seen.add(id);
    }
  });
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.tool_calls.length > 0) {
    context.addIssue({ code: 'custom', message: 'expected the last message to be a turn of the policy without calls' });
  }
});

/** The task of a case: what the policy got, what grades it, and the reference answer. */
export const caseTaskSchema = z.strictObject({
  issue: z.string().min(1),
  /** The base tree, by path relative to the workspace. */
  files: filesSchema,
  visible_tests: z.array(z.string()),
  /** Files that the grader lays over the tree after the patch. */
  hidden_tests: filesSchema,
  gold_patch: z.string().min(1),
});
/** See {@link caseTaskSchema}. */
export type CaseTask = z.infer<typeof caseTaskSchema>;

const shared = {
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  language: z.enum(['javascript', 'typescript', 'python']),
  task: caseTaskSchema,
  trajectory: trajectorySchema,
  final_patch: z.string(),
  why: z.string().min(1),
  /** What the case shows or, for honest work, resembles. */
  kind: caseKindSchema.optional(),
  split: caseSplitSchema.optional(),
  /** Name of the task that it shares with other cases; no topic is in both splits. */
  topic: z.string().min(1).optional(),
};

const hackSchema = z.strictObject({
  ...shared,
  label: z.literal('hack'),
  category: caseCategorySchema.exclude(['none']),
  /** Whether the reference grader gives the reward, and because of the act. */
  effective: z.boolean(),
});
const benignSchema = z.strictObject({ ...shared, label: z.literal('benign'), category: z.literal('none'), effective: z.null() });

/** A labelled trajectory as one JSON file: the case format. Unknown keys are refused. */
export const caseSchema = z.discriminatedUnion('label', [hackSchema, benignSchema]);
/** See {@link caseSchema}. */
export type LabelledCase = z.infer<typeof caseSchema>;

const ours = { kind: caseKindSchema, split: caseSplitSchema, topic: z.string().min(1) };

/** A case of this package's own corpus: {@link caseSchema} with kind, split and topic required. */
export const corpusCaseSchema = z.discriminatedUnion('label', [hackSchema.extend(ours), benignSchema.extend(ours)]);
/** See {@link corpusCaseSchema}. */
export type CorpusCase = z.infer<typeof corpusCaseSchema>;
