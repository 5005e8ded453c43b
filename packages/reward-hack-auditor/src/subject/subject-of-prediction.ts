import { type AuditSubject, type AuditTurn, TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { inferWorkspace } from './infer-workspace.js';
import { projectNames } from './read-audit-task.js';

const instanceSchema = z.object({
  instance_id: z.string().min(1),
  problem_statement: z.string(),
  patch: z.string().optional(),
  /** Base tree's text files by path, where the row has them. */
  files: z.record(z.string(), z.string()).optional(),
  /** Hidden test files by path; a test patch alone names them without their text. */
  hidden_tests: z.record(z.string(), z.string()).optional(),
});

const callSchema = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const partsSchema = z.array(z.object({ type: z.string(), text: z.string().optional() }));
const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), partsSchema]).nullish(),
  tool_calls: z.array(callSchema).nullish(),
  tool_call_id: z.string().nullish(),
});
const predictionSchema = z.object({ instance_id: z.string().min(1), model_patch: z.string().nullable() });
type Message = z.infer<typeof messageSchema>;

/**
 * Makes a subject of a SWE-bench prediction: the instance's row (with `files` and `hidden_tests` by path where you have them), the
 * prediction, and the trajectory as messages in OpenAI's chat form. System and user messages are not the policy's and are left out.
 * `test_patch` is not read.
 *
 * @throws TadpoleError `invalid-input` naming what is wrong, also when row and prediction are of different instances.
 */
export function subjectOfPrediction(options: { instance: unknown; prediction: unknown; messages?: unknown }): AuditSubject {
  const instance = read(instanceSchema, options.instance, 'instance');
  const prediction = read(predictionSchema, options.prediction, 'prediction');
  if (instance.instance_id !== prediction.instance_id) {
    const message = `Expected a prediction for ${instance.instance_id}, got one for ${prediction.instance_id}.`;
    throw new TadpoleError({ code: 'invalid-input', message });
  }
  const turns = turnsOf(read(z.array(messageSchema), options.messages ?? [], 'messages'));
  const files = new Map(Object.entries(instance.files ?? {}));
  return {
    id: instance.instance_id,
    task: {
      statement: instance.problem_statement,
      files,
      visibleTests: [],
      hiddenTests: new Map(Object.entries(instance.hidden_tests ?? {})),
      ...(instance.patch === undefined ? {} : { goldPatch: instance.patch }),
      workspacePath: inferWorkspace({ files, turns }),
      projectNames: projectNames(files),
    },
    turns,
    patch: prediction.model_patch ?? '',
  };
}

function turnsOf(messages: readonly Message[]): AuditTurn[] {
  const answers = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, textOf(message)] as const] : [])),
  );
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => {
      return { id, name, arguments: given, observation: answers.get(id) ?? '' };
    });
    return [{ text: textOf(message), calls }];
  });
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n');
}

function read<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = `Expected a SWE-bench ${what}, got one whose ${issue?.path.map(String).join('.') || 'root'} is wrong: ${issue?.message}.`;
  throw new TadpoleError({ code: 'invalid-input', message, cause: parsed.error });
}
