import { type Contamination, type ContaminationMatch, createDecontaminator } from '../duplicates/decontaminate.js';
import { describeDuplicate } from '../duplicates/describe-duplicate.js';
import type { DuplicateFilter } from '../duplicates/duplicate-filter.js';
import { duplicateTaskOf } from '../duplicates/duplicate-task-of.js';
import type { EvaluationRecord } from '../duplicates/evaluation-record.js';
import { mixTargets } from '../duplicates/mix-targets.js';
import { type MixTask, mixDimensions, type TaskMix } from '../duplicates/task-mix.js';
import type { CandidateFacts } from '../generator/candidate-facts.js';
import type { TaskDraft } from '../validate/task-draft.js';
import type { Objection } from './offered-task.js';
import { taskKind } from './task-kind.js';

/** Says of validated tasks whether they may still be admitted, beside their difficulty. */
export interface IntakeGate {
  /** Null for a task that may be admitted. */
  objection(task: GatedTask): Objection | null;
  /** False once the rest of the count is for fresh tasks. */
  takesRefined(): boolean;
  admit(task: GatedTask): void;
}

/** What the gate looks at. */
export interface GatedTask {
  readonly draft: TaskDraft;
  readonly facts: Pick<CandidateFacts, 'functionName'>;
  readonly steps: number;
}

/** Least share of an iteration's tasks that no refinement made, rounded down (taskpilot.md section 6). */
const freshShare = 0.1;

/** Joins the duplicate filter, the evaluation sets, the target mix and the share of fresh tasks. */
export function createIntakeGate(options: {
  filter: DuplicateFilter;
  records: readonly EvaluationRecord[];
  count: number;
  /** @default none: any mix */
  mix?: TaskMix | undefined;
}): IntakeGate {
  const { filter, records, count, mix } = options;
  const decontaminate = createDecontaminator({ records });
  const admitted: MixTask[] = [];
  let refined = 0;
  const takesRefined = () => refined < count - Math.floor(freshShare * count);
  return {
    takesRefined,
    objection({ draft, facts, steps }) {
      const verdict = filter.check(duplicateTaskOf({ draft, enclosingFunction: facts.functionName }));
      if (verdict.kind === 'duplicate') return { reason: 'duplicate', detail: describeDuplicate(verdict) };
      if (verdict.kind === 'over-quota') return { reason: 'quota', detail: `its ${verdict.quota} has ${verdict.accepted.join(', ')}` };
      const found = records.length === 0 ? null : contaminationOf(decontaminate([recordOf(draft)]));
      if (found !== null) return { reason: 'contaminated', detail: found };
      if (steps > 0 && !takesRefined()) return { reason: 'mix', detail: 'the rest is for fresh tasks' };
      const full = mix === undefined ? null : fullKind({ draft, admitted, mix, count });
      return full === null ? null : { reason: 'mix', detail: `${full} has its share of the target` };
    },
    admit({ draft, facts, steps }) {
      filter.accept(duplicateTaskOf({ draft, enclosingFunction: facts.functionName }));
      admitted.push(taskKind(draft));
      refined += steps > 0 ? 1 : 0;
    },
  };
}

function fullKind(options: { draft: TaskDraft; admitted: readonly MixTask[]; mix: TaskMix; count: number }): string | null {
  const { draft, admitted, mix, count } = options;
  const kind = taskKind(draft);
  const targets = mixTargets({ tasks: admitted, target: mix, count });
  const dimension = mixDimensions.find((name) => {
    const target = targets.find((entry) => entry.dimension === name && entry.kind === kind[name]);
    return target === undefined ? Math.floor(0.1 * count) === 0 : target.room === 0;
  });
  return dimension === undefined ? null : `${dimension} ${kind[dimension]}`;
}

function recordOf({ data, goldPatch }: TaskDraft): EvaluationRecord {
  return { id: data.id, repository: data.lineage.source, patch: goldPatch, statement: data.instruction };
}

function contaminationOf({ matches }: Contamination): string | null {
  const [match] = matches;
  return match === undefined ? null : `${match.kind} of ${recordNameOf(match)}`;
}

function recordNameOf(match: ContaminationMatch): string {
  return 'recordId' in match ? match.recordId : match.kind;
}
