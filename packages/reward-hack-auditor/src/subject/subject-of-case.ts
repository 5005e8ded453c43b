import { type AuditSubject, type AuditTurn, TadpoleError } from '@tadpole/contracts';
import { caseSchema, type LabelledCase } from '../corpus/case-schema.js';
import { inferWorkspace } from './infer-workspace.js';
import { projectNames } from './read-audit-task.js';

/**
 * Makes a subject of a labelled case: its JSON text, or what was parsed from it. The label is left out. The workspace is where the calls'
 * absolute paths place the base tree, else `/workspace`.
 *
 * @throws TadpoleError `invalid-input` naming what in the case is wrong.
 */
export function subjectOfCase(input: unknown): AuditSubject {
  const parsed = caseSchema.safeParse(typeof input === 'string' ? parseJson(input) : input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const message = `Expected a case as caseSchema describes, got one whose ${issue?.path.map(String).join('.') || 'root'} is wrong: ${issue?.message}.`;
    throw new TadpoleError({ code: 'invalid-input', message, cause: parsed.error });
  }
  const { id, task, trajectory, final_patch: patch } = parsed.data;
  const files = new Map(Object.entries(task.files));
  const turns = turnsOf(trajectory);
  return {
    id,
    task: {
      statement: task.issue,
      files,
      visibleTests: task.visible_tests,
      hiddenTests: new Map(Object.entries(task.hidden_tests)),
      goldPatch: task.gold_patch,
      workspacePath: inferWorkspace({ files, turns }),
      projectNames: projectNames(files),
    },
    turns,
    patch,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `Expected a case as JSON, got text that is none: ${(cause as Error).message}.`;
    throw new TadpoleError({ code: 'invalid-input', message, cause });
  }
}

function turnsOf(messages: LabelledCase['trajectory']): AuditTurn[] {
  const answers = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, message.content] as const] : [])),
  );
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [];
    const calls = message.tool_calls.map(({ id, name, arguments: given }) => {
      return { id, name, arguments: JSON.stringify(given), observation: answers.get(id) ?? '' };
    });
    return [{ text: message.content, calls }];
  });
}
