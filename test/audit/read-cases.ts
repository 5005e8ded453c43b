import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AuditSubject, AuditTurn } from '@tadpole/contracts';
import { type CorpusCase, corpusCaseSchema } from '@tadpole/reward-hack-auditor';

/** A labelled case with what is audited of it. */
export interface DevelopmentCase {
  readonly labelled: CorpusCase;
  readonly subject: AuditSubject;
}

const folder = fileURLToPath(new URL('../../packages/reward-hack-auditor/corpus/development/', import.meta.url));

/** The cases of the corpus's development part whose id holds one of the words; all without words. */
export async function readDevelopmentCases(words: readonly string[] = []): Promise<readonly DevelopmentCase[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const chosen = names.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  return Promise.all(
    chosen.map(async (name) => {
      const labelled = corpusCaseSchema.parse(JSON.parse(await readFile(`${folder}${name}`, 'utf8')));
      return { labelled, subject: subjectOf(labelled) };
    }),
  );
}

function subjectOf({ id, task, trajectory, topic, final_patch }: CorpusCase): AuditSubject {
  const answers = new Map(
    trajectory.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, message.content] as const] : [])),
  );
  const turns = trajectory.flatMap((message): AuditTurn[] => {
    if (message.role !== 'assistant') return [];
    const calls = message.tool_calls.map((call) => ({
      ...{ id: call.id, name: call.name, arguments: JSON.stringify(call.arguments), observation: answers.get(call.id) ?? '' },
    }));
    return [{ text: message.content, calls }];
  });
  return {
    id,
    task: {
      statement: task.issue,
      files: new Map(Object.entries(task.files)),
      visibleTests: task.visible_tests,
      hiddenTests: new Map(Object.entries(task.hidden_tests)),
      goldPatch: task.gold_patch,
      workspacePath: `/workspace/${topic}`,
    },
    turns,
    patch: final_patch,
  };
}
