import type { Candidate, Snapshot } from '@tadpole/contracts';
import type { TaskDraft } from '../validate/task-draft.js';
import type { Verdict } from './attempt-candidate.js';
import type { Split } from './quota.js';
import type { RefuseEvent, ValidateEvent } from './synthesis-event.js';
import { taskKind } from './task-kind.js';

/** The event of a candidate that did not become a task. */
export function refuseEvent(options: {
  strategy: string;
  snapshot: Snapshot;
  candidate: Candidate;
  candidateId: string;
  verdict: Exclude<Verdict, { status: 'valid' }> | { readonly status: 'duplicate' };
}): RefuseEvent {
  const { strategy, snapshot, candidate, candidateId, verdict } = options;
  const { operator } = candidate.lineage;
  const about = { type: 'candidate-refuse', candidateId, strategy, operator, source: snapshot.source } as const;
  if (verdict.status === 'duplicate') return { ...about, reason: 'duplicate', detail: 'its line has a task' };
  if (verdict.status === 'sandbox-failed') return { ...about, reason: 'sandbox-failed', detail: verdict.error.message };
  return { ...about, reason: verdict.reason, detail: verdict.detail };
}

/** The event of a candidate that became a task. */
export function validateEvent(options: {
  draft: TaskDraft;
  strategy: string;
  /** @default 'train' */
  split?: Split;
  /** @default none */
  parents?: readonly string[];
}): ValidateEvent {
  const { draft, strategy, split = 'train', parents = [] } = options;
  const { operatorFamily, patchSize, statementRung } = taskKind(draft);
  const { id: taskId, lineage, verifier } = draft.data;
  const kind = { operator: lineage.operator, operatorFamily, patchSize, statementRung, source: lineage.source };
  return { type: 'candidate-validate', taskId, strategy, ...kind, failToPass: verifier.failToPass.length, split, parents, draft };
}
