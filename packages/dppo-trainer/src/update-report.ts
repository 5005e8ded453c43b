/** A sign that training diverges. The `non-finite` ones end the update. */
export interface UpdateAlarm {
  /**
   * - `non-finite-logprobs`, `non-finite-loss`, `non-finite-gradient`: seen before this minibatch changed anything, where the loss is
   *   computed here; where the engine computes it, seen after its step, so reload the last checkpoint
   * - `non-finite-gradient-norm`: seen after the optimizer step, so reload the last checkpoint
   * - `ratio-explosion`: an importance ratio above the alarm level; the step was taken
   * - `mask-flood`: the loss masked a larger share of tokens than the alarm level; the step was taken on what was left
   * - `entropy-collapse`: the mean entropy of trained tokens is below the alarm level; the step was taken
   */
  readonly kind:
    | 'non-finite-logprobs'
    | 'non-finite-loss'
    | 'non-finite-gradient'
    | 'non-finite-gradient-norm'
    | 'ratio-explosion'
    | 'mask-flood'
    | 'entropy-collapse';
  readonly epoch: number;
  readonly minibatch: number;
  readonly detail: string;
}

/** One optimizer step. */
export interface StepReport {
  /** Counts the steps of the update from 0. */
  readonly step: number;
  readonly epoch: number;
  readonly minibatch: number;
  readonly sequences: number;
  /** Calls to the engine that the minibatch was dealt into. */
  readonly packs: number;
  readonly trainedTokens: number;
  /** Where value and gradient were computed. */
  readonly lossIn: 'engine' | 'client';
  /** The loss's metrics, with `entropy` where the engine gives it and `gradientNorm` before clipping. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** What an update did. */
export interface UpdateReport {
  /** Steps' metrics averaged over trained tokens, with the batch's counts; every number is finite. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly steps: readonly StepReport[];
  readonly alarms: readonly UpdateAlarm[];
  /** False when an alarm ended the update early. */
  readonly completed: boolean;
}

/** True for an alarm after which the update does not go on. */
export function isEnding({ kind }: UpdateAlarm): boolean {
  return kind.startsWith('non-finite');
}
