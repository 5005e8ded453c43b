import type { CallReason } from './model-call.js';

/** Internal: an answer that cannot be used, with what the model is told about it. Never leaves the package. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';
  readonly reason: CallReason;

  constructor(options: { reason: CallReason; problem: string }) {
    super(options.problem);
    this.reason = options.reason;
  }
}
