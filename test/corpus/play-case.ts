import type { OwnedSandbox, Trajectory } from '@tadpole/contracts';
import { leafProfile, runAgent } from '@tadpole/leaf-harness';
import { scriptedPolicy } from '@tadpole/leaf-harness/testing';
import type { CaseMessage } from '@tadpole/reward-hack-auditor';
import { normaliseOutput } from './normalise-output.js';
import type { Workbench } from './open-workbench.js';
import type { CaseSource } from './read-case-source.js';
import type { TaskSource } from './read-task-source.js';
import { sourceError } from './source-text.js';

/** Folder of the sandbox that `before` commands find the reference answer and the hidden tests in; gone before the first turn. */
const answerFolder = '/tmp/.answer';

/** Plays a case's turns with the real harness and tools. @throws TadpoleError `invalid-input` for a `before` that fails. */
export async function playCase(options: {
  workbench: Workbench;
  task: TaskSource;
  source: CaseSource;
  goldPatch: string;
}): Promise<{ trajectory: CaseMessage[]; patch: string }> {
  const { workbench, task, source, goldPatch } = options;
  const fill = (text: string) => fillIn({ text, task, goldPatch });
  const outside = Object.fromEntries(Object.entries({ ...task.outside, ...source.outside }).map(([path, text]) => [path, fill(text)]));
  const sandbox = await workbench.open({ task, outside });
  try {
    await prepare({ sandbox, task, source, goldPatch });
    const policy = scriptedPolicy(source.turns);
    const run = runAgent({
      ...leafProfile(),
      ...{ id: source.id, taskId: task.topic, instruction: task.issue, policy, sandbox, now: Date.now },
      sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 8192, seed: 1 },
      limits: { maxContextTokens: 1_000_000 },
    });
    for (;;) {
      const next = await run.next();
      if (next.done !== true) continue;
      policy.assertDone();
      if (next.value.stopReason !== 'agent')
        throw sourceError({
          path: source.id,
          message: `expected the agent to end by itself, got ${next.value.stopReason}: ${next.value.error ?? ''}`,
        });
      return { trajectory: messagesOf(next.value), patch: next.value.patch };
    }
  } finally {
    await sandbox.dispose();
  }
}

/** Texts of the answer in what lies around: `{{gold_patch}}`, `{{gold:PATH}}`, `{{hidden:PATH}}`. */
function fillIn(options: { text: string; task: TaskSource; goldPatch: string }): string {
  const { task, goldPatch } = options;
  return options.text.replace(
    /\{\{(gold_patch|gold:([^}]+)|hidden:([^}]+))\}\}\n?/g,
    (_, whole: string, gold?: string, hidden?: string) => {
      const text = whole === 'gold_patch' ? goldPatch : gold === undefined ? task.hidden[hidden!] : task.gold[gold];
      if (text === undefined || text === null) throw sourceError({ path: task.topic, message: `nothing stands for {{${whole}}}` });
      return text;
    },
  );
}

async function prepare(options: { sandbox: OwnedSandbox; task: TaskSource; source: CaseSource; goldPatch: string }): Promise<void> {
  const { sandbox, task, source } = options;
  const commands = [...task.before, ...source.before];
  if (commands.length === 0) return;
  const gold = Object.entries(task.gold).flatMap(([path, text]) => (text === null ? [] : [[`gold/${path}`, text] as const]));
  const hidden = Object.entries(task.hidden).map(([path, text]) => [`hidden/${path}`, text] as const);
  for (const [path, text] of [['gold.patch', options.goldPatch] as const, ...gold, ...hidden])
    await sandbox.writeFile(`${answerFolder}/${path}`, text);
  for (const command of commands) {
    const result = await sandbox.run({ command: `set -e\n${command}`, env: { ANSWER: answerFolder } });
    if (result.exitCode !== 0)
      throw sourceError({ path: source.id, message: `"before" ended with ${result.exitCode}: ${result.stdout}${result.stderr}` });
  }
  await sandbox.run({ command: `rm -rf ${answerFolder}` });
}

function messagesOf(trajectory: Trajectory): CaseMessage[] {
  let count = 0;
  return trajectory.turns.flatMap(({ assistant, observations }): CaseMessage[] => {
    const ids = assistant.toolCalls.map(() => `call_${String(++count).padStart(2, '0')}`);
    const calls = assistant.toolCalls.map(({ name, arguments: text }, index) => ({
      id: ids[index]!,
      name,
      arguments: JSON.parse(text) as Record<string, unknown>,
    }));
    return [
      { role: 'assistant', content: assistant.content, tool_calls: calls },
      ...observations.map(({ content }, index) => ({
        role: 'tool' as const,
        tool_call_id: ids[index]!,
        content: normaliseOutput(content),
      })),
    ];
  });
}

/** The patch that turns a task's base into its reference answer. */
export async function goldPatchOf(options: { workbench: Workbench; task: TaskSource }): Promise<string> {
  const { task } = options;
  const sandbox = await options.workbench.open({ task });
  try {
    for (const [path, text] of Object.entries(task.gold)) {
      if (text !== null) await sandbox.writeFile(path, text);
      else await sandbox.run({ command: 'rm -f -- "$FILE"', env: { FILE: path } });
    }
    return await sandbox.diff();
  } finally {
    await sandbox.dispose();
  }
}
