import { availableRungs, isProse, type TemplateRung } from '../statement/write-statement.js';
import type { MeasuredTask } from './refinement-move.js';

/** The rung of a task whose bug lies in one place: its parent's; `null` for a statement that a model wrote for the parent alone. */
export function rungOfChild({ draft }: MeasuredTask): TemplateRung | null {
  const { statementRung } = draft.data.lineage;
  return statementRung === 'written' ? null : statementRung;
}

/**
 * The rung of a task whose bug lies in several places. The failure that a statement tells may come from any of them, so it may
 * not name the place of one: its parent's rung where that names nothing narrower than the places have in common, or else the
 * next lower such rung.
 */
export function rungOfWiderChild(options: { task: MeasuredTask; isOneFile: boolean }): TemplateRung | null {
  const { task, isOneFile } = options;
  const rung = rungOfChild(task);
  if (rung === null || rung === 'symptom' || rung === 'contract' || (rung === 'file' && isOneFile)) return rung;
  if (isProse(rung) && availableRungs(task.draft.facts).includes('contract')) return 'contract';
  return isOneFile ? 'file' : 'symptom';
}
