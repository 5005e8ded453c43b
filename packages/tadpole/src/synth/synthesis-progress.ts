import type { SynthesisEvent, SynthesisPolicy } from '@tadpole/taskpilot';

/** How far a synthesis is. */
export interface RepositoryProgress {
  /** Candidates that were executed. */
  readonly proposed: number;
  /** Of these, tasks. */
  readonly valid: number;
  /** Of these, with a verdict from rollouts. */
  readonly measured: number;
  /** Of these, in the band. */
  readonly inBand: number;
  readonly admitted: number;
  /** Rollouts so far, unscored ones included. */
  readonly rollouts: number;
  /** Of rollouts and of model-written candidates; absent where nothing says a price. */
  readonly costUsd?: number;
}

/** Counts what a synthesis and its policy report. */
export interface SynthesisMeter {
  add(event: SynthesisEvent): void;
  /** The policy, whose rollouts are counted. */
  readonly policy: SynthesisPolicy;
  progress(): RepositoryProgress;
}

/** A meter that has seen nothing. `spentUsd`: dollars beside the rollouts. */
export function createSynthesisMeter(options: { policy: SynthesisPolicy; spentUsd: () => number | undefined }): SynthesisMeter {
  const { policy, spentUsd } = options;
  const counts = { proposed: 0, valid: 0, measured: 0, inBand: 0, admitted: 0, rollouts: 0 };
  let rolloutsUsd: number | undefined;
  return {
    add(event) {
      if (event.type === 'candidate-refuse' || event.type === 'candidate-validate') counts.proposed += 1;
      if (event.type === 'candidate-validate') counts.valid += 1;
      if (event.type === 'candidate-calibrate' && event.trials > 0) {
        counts.measured += 1;
        counts.inBand += event.verdict === 'in-band' ? 1 : 0;
      }
      if (event.type === 'task-admit') counts.admitted += 1;
    },
    policy: {
      weightsVersion: policy.weightsVersion,
      async *rollOut(request) {
        for await (const rollout of policy.rollOut(request)) {
          counts.rollouts += 1;
          if (rollout.costUsd !== undefined) rolloutsUsd = (rolloutsUsd ?? 0) + rollout.costUsd;
          yield rollout;
        }
      },
    },
    progress() {
      const elsewhere = spentUsd();
      const isPriced = rolloutsUsd !== undefined || elsewhere !== undefined;
      return { ...counts, ...(isPriced ? { costUsd: (rolloutsUsd ?? 0) + (elsewhere ?? 0) } : {}) };
    },
  };
}
