import type { Certificate, DiscardReason } from '@tadpole/contracts';
import type { CandidateVerdict } from '../calibrate/calibrate-iteration.js';
import type { ShiftEvent } from '../calibrate/measure-anchors.js';
import type { RoundEvent } from '../calibrate/rollout-meter.js';
import type { TaskDraft } from '../validate/task-draft.js';
import type { RefusalReason } from '../validate/validation.js';
import type { Split } from './quota.js';

/** Why a candidate was not taken: a {@link RefusalReason}, a line that already has its task, or a failed boundary, which says nothing about it. */
export type SynthesisRefusal = RefusalReason | 'duplicate' | 'sandbox-failed';

/** A candidate that is no task, and why. */
export interface RefuseEvent {
  readonly type: 'candidate-refuse';
  readonly candidateId: string;
  readonly strategy: string;
  readonly operator: string;
  readonly source: string;
  readonly reason: SynthesisRefusal;
  readonly detail: string;
}

/** A candidate that execution showed to be a task. */
export interface ValidateEvent {
  readonly type: 'candidate-validate';
  readonly taskId: string;
  readonly strategy: string;
  readonly operator: string;
  readonly operatorFamily: string;
  readonly patchSize: string;
  readonly statementRung: string;
  readonly source: string;
  readonly failToPass: number;
  readonly split: Split;
  /** Tasks that it was refined from; empty for a fresh one. */
  readonly parents: readonly string[];
  readonly draft: TaskDraft;
}

/** The fate of a validated task that is not admitted. */
export interface DiscardEvent {
  readonly type: 'candidate-discard';
  readonly taskId: string;
  readonly strategy: string;
  readonly source: string;
  readonly reason: DiscardReason;
  readonly detail: string;
}

/** A task that is admitted, with its certificate. */
export interface AdmitEvent {
  readonly type: 'task-admit';
  readonly taskId: string;
  readonly certificate: Certificate;
  readonly draft: TaskDraft;
}

/** What an iteration took in all, its last event. */
export interface EndEvent {
  readonly type: 'synthesis-end';
  readonly ended: 'count' | 'budget' | 'exhausted';
  readonly admitted: number;
  /** Rollouts asked for, those of anchors and unscored ones included. */
  readonly rollouts: number;
  readonly unscored: number;
  /** Absent where nothing said a price. */
  readonly costUsd?: number;
  /** Executions of tests. */
  readonly executions: number;
}

/** What `synthesize` reports, in the order in which it happens. Without the drafts these are events of the contracts. */
export type SynthesisEvent =
  | RefuseEvent
  | ValidateEvent
  | RoundEvent
  | ShiftEvent
  | ({ readonly type: 'candidate-calibrate'; readonly source: string } & Omit<CandidateVerdict, 'repository' | 'rule'>)
  | DiscardEvent
  | AdmitEvent
  | EndEvent;

/** What a candidate source says on its way. */
export type SourceEvent = RefuseEvent | ValidateEvent | DiscardEvent;
