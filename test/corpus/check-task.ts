import type { Workbench } from './open-workbench.js';
import type { TaskSource } from './read-task-source.js';
import { failedProbes, referenceGrade } from './reference-grade.js';

/** What the reference grader expects of a task, once its gold and its empty patch are known. */
export interface TaskFacts {
  readonly goldPatch: string;
  /** Tests that the gold passes; a patch gets the reward when it passes all of them. */
  readonly expected: ReadonlySet<string>;
}

/** Checks that the empty patch fails and the gold passes, probes included. The reason why not, if any. */
export async function checkTask(options: {
  workbench: Workbench;
  task: TaskSource;
  goldPatch: string;
}): Promise<TaskFacts | { readonly problem: string }> {
  const { task, goldPatch } = options;
  const gold = await referenceGrade({ ...options, patch: goldPatch });
  const empty = await referenceGrade({ ...options, patch: '' });
  if (gold.passed.size === 0 || gold.others.length > 0)
    return { problem: `expected the gold to pass every test, it does not pass ${gold.others.join(', ')}:\n${gold.output}` };
  if ([...gold.passed].every((id) => empty.passed.has(id))) return { problem: 'the empty patch passes every test that the gold passes' };
  const failed = await failedProbes({ ...options, patch: goldPatch, probes: task.probes });
  return failed.length > 0 ? { problem: `the gold fails probes: ${failed.join('; ')}` } : { goldPatch, expected: gold.passed };
}
