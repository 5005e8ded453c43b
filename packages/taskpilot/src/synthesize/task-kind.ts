import { patchStatistics } from '../duplicates/patch-statistics.js';
import type { MixTask } from '../duplicates/task-mix.js';
import { mutationOperators } from '../generator/mutation-operators.js';
import type { TaskDraft } from '../validate/task-draft.js';

/** What kind of task a draft is, in the dimensions of a mix. The family is that of its operator, else its generator's name. */
export function taskKind({ data, goldPatch }: Pick<TaskDraft, 'data' | 'goldPatch'>): MixTask {
  const { operator, generator, source, statementRung } = data.lineage;
  return {
    repository: source,
    operatorFamily: mutationOperators.find(({ name }) => name === operator)?.family ?? generator,
    patchSize: patchStatistics(goldPatch).sizeBucket,
    statementRung,
  };
}
