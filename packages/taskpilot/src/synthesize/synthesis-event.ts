import type { TaskDraft } from '../validate/task-draft.js';
import type { RefusalReason } from '../validate/validation.js';
import type { Verdict } from './attempt-candidate.js';
import type { Split } from './quota.js';

/** Why a candidate was not taken: a {@link RefusalReason}, a line that already has its task, or a failed boundary. */
export type SynthesisRefusal = RefusalReason | 'duplicate' | 'sandbox-failed';

/** What `synthesize` reports about each candidate, in the order of proposal. */
export type SynthesisEvent =
  | {
      readonly type: 'candidate-refuse';
      readonly candidateId: string;
      readonly operator: string;
      readonly source: string;
      readonly reason: SynthesisRefusal;
      readonly detail: string;
    }
  | {
      readonly type: 'candidate-validate';
      readonly taskId: string;
      readonly operator: string;
      readonly source: string;
      readonly failToPass: number;
      readonly split: Split;
      readonly draft: TaskDraft;
    };

/** The event that says what became of a candidate. */
export function toSynthesisEvent(options: {
  candidateId: string;
  operator: string;
  source: string;
  split: Split;
  verdict: Verdict;
}): SynthesisEvent {
  const { candidateId, operator, source, split, verdict } = options;
  const refuse = (reason: SynthesisRefusal, detail: string) =>
    ({ type: 'candidate-refuse', candidateId, operator, source, reason, detail }) as const;
  switch (verdict.status) {
    case 'valid': {
      const { draft } = verdict;
      const failToPass = draft.data.verifier.failToPass.length;
      return { type: 'candidate-validate', taskId: draft.data.id, operator, source, failToPass, split, draft };
    }
    case 'refused':
      return refuse(verdict.reason, verdict.detail);
    case 'duplicate':
      return refuse('duplicate', 'its line has a task');
    case 'sandbox-failed':
      return refuse('sandbox-failed', verdict.error.message);
  }
}
