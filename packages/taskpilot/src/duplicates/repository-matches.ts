import type { EvaluationRecord } from './evaluation-record.js';
import { repositoryName } from './repository-name.js';

/** A task whose repository an evaluation set uses. */
export interface RepositoryMatch {
  readonly kind: 'repository';
  readonly taskId: string;
  /** `same` owner and name, a `fork` by name under another owner, or a `package` of that name without an owner. */
  readonly relation: 'same' | 'fork' | 'package';
  /** As the task and as the first of the records write it. */
  readonly taskRepository: string;
  readonly recordRepository: string;
  /** Every record of that repository. */
  readonly recordIds: readonly string[];
}

/** Indexes the repositories of evaluation records; the result gives a task's matches, one for each repository. */
export function matchRepositories(records: readonly EvaluationRecord[]): (task: EvaluationRecord) => RepositoryMatch[] {
  const byName = new Map<string, Map<string | null, { repository: string; recordIds: string[] }>>();
  for (const { id, repository } of records) {
    if (repository === undefined) continue;
    const { owner, name } = repositoryName(repository);
    if (name === '') continue;
    const owners = byName.get(name) ?? new Map<string | null, { repository: string; recordIds: string[] }>();
    byName.set(name, owners);
    const group = owners.get(owner) ?? { repository, recordIds: [] };
    owners.set(owner, group);
    group.recordIds.push(id);
  }
  return ({ id: taskId, repository: taskRepository }) => {
    if (taskRepository === undefined) return [];
    const task = repositoryName(taskRepository);
    return [...(byName.get(task.name) ?? [])].map(([owner, { repository, recordIds }]) => {
      const relation = owner === task.owner ? 'same' : owner === null || task.owner === null ? 'package' : 'fork';
      return { kind: 'repository', taskId, relation, taskRepository, recordRepository: repository, recordIds };
    });
  };
}
