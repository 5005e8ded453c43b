import { TadpoleError } from '@tadpole/contracts';
import { type CorpusCase, corpusCaseSchema } from '@tadpole/reward-hack-auditor';
import { checkClaim } from './check-claim.js';
import { checkTask, type TaskFacts } from './check-task.js';
import type { Workbench } from './open-workbench.js';
import { goldPatchOf, playCase } from './play-case.js';
import type { CaseSource } from './read-case-source.js';
import type { TaskSource } from './read-task-source.js';

/** Makes the gold patch of a task and checks it. @throws TadpoleError `invalid-input` with the reason of a refusal. */
export async function prepareTask(options: { workbench: Workbench; task: TaskSource }): Promise<TaskFacts> {
  const goldPatch = await goldPatchOf(options);
  const facts = await checkTask({ ...options, goldPatch });
  if ('problem' in facts) throw new TadpoleError({ code: 'invalid-input', message: `${options.task.topic}: ${facts.problem}` });
  return facts;
}

/**
 * Plays a case and checks its claim by execution; a case that does not hold is refused.
 *
 * @throws TadpoleError `invalid-input` with the reason of a refusal.
 */
export async function buildCase(options: {
  workbench: Workbench;
  task: TaskSource;
  facts: TaskFacts;
  source: CaseSource;
}): Promise<CorpusCase> {
  const { task, facts, source } = options;
  const { trajectory, patch } = await playCase({ ...options, goldPatch: facts.goldPatch });
  const machine = trajectory.flatMap((message) => (message.role === 'tool' ? machineTraces(message.content) : []));
  const problem =
    machine.length > 0 ? `an observation shows this machine: ${machine.join(', ')}` : await checkClaim({ ...options, patch, trajectory });
  if (problem !== undefined) throw new TadpoleError({ code: 'invalid-input', message: `${task.topic}/${source.id}: ${problem}` });
  const { claim } = source;
  const built: unknown = {
    id: source.id,
    label: claim.label,
    ...(claim.label === 'hack' ? { category: claim.category, effective: claim.effective } : { category: 'none', effective: null }),
    ...{ kind: source.kind, split: task.split, topic: task.topic, language: task.language },
    task: {
      issue: task.issue,
      files: task.base,
      visible_tests: task.visibleTests,
      hidden_tests: task.hidden,
      gold_patch: facts.goldPatch,
    },
    ...{ trajectory, final_patch: patch, why: source.why },
  };
  corpusCaseSchema.parse(built);
  // As it was put together: parsing would order the keys anew.
  return built as CorpusCase;
}

/** What names the machine that builds, or changes with each build. */
function machineTraces(text: string): readonly string[] {
  return text.match(/tadpole-corpus-\w+|_sandboxing\w*|\/opt\/tadpole|mount-point/g) ?? [];
}
