import { type Datum, TadpoleError, type TokenSegment, type Trajectory } from '@tadpole/contracts';

/**
 * One segment of a rollout, ready for an engine; all arrays are [T]. Position t speaks about predicting
 * `datum.targets[t]`, so everything is shifted by one against the recorded segment. Where `mask` is 0
 * (prompt, observation), `rolloutLogprobs` and `advantages` are 0.
 */
export interface TrainingSequence {
  readonly trajectoryId: string;
  readonly taskId: string;
  readonly datum: Datum;
  /** log q as the sampler recorded it. */
  readonly rolloutLogprobs: Float32Array;
  readonly advantages: Float32Array;
  readonly mask: Float32Array;
  /** Sum of `mask`. */
  readonly trainedTokens: number;
}

/** Log-probabilities are at most 0; engines that work in single precision may land a little above. */
const LARGEST_LOGPROB = 1e-4;

/**
 * Makes training sequences from a trajectory's recorded tokens, giving `advantage` to every sampled one.
 * Nothing is tokenised again. A segment in which nothing was sampled gives no sequence.
 *
 * @throws TadpoleError `invalid-input` when the trajectory has no sampled token at all (its policy returned
 * no token ids), when a sampled token has no log-probability, or when one stands where it cannot be predicted.
 */
export function buildSequences(options: { trajectory: Trajectory; advantage: number }): TrainingSequence[] {
  const { trajectory, advantage } = options;
  const sequences = trajectory.segments.flatMap((segment) => {
    const sequence = shiftSegment({ segment, trajectory, advantage });
    return sequence.trainedTokens === 0 ? [] : [sequence];
  });
  if (sequences.length === 0) {
    const cause =
      trajectory.segments.length === 0
        ? `it has no token segments: policy "${trajectory.policy}" returned no token ids, so train with one that samples tokens`
        : 'none of its recorded tokens is marked as sampled';
    throw invalid(`Expected at least one sampled token in trajectory ${trajectory.id} (stopped: ${trajectory.stopReason}), but ${cause}.`);
  }
  return sequences;
}

function shiftSegment(options: { segment: TokenSegment; trajectory: Trajectory; advantage: number }): TrainingSequence {
  const { segment, trajectory, advantage } = options;
  const { ids, mask, logprobs } = segment;
  const where = `trajectory ${trajectory.id}`;
  if (ids.length !== mask.length || ids.length !== logprobs.length) {
    throw invalid(`Expected ids, mask and logprobs of one length in ${where}, got ${ids.length}, ${mask.length}, ${logprobs.length}.`);
  }
  if (mask[0]) throw invalid(`Expected a prompt token first in ${where}: a sampled first token has nothing that predicts it.`);
  const length = Math.max(0, ids.length - 1);
  const rolloutLogprobs = new Float32Array(length);
  const advantages = new Float32Array(length);
  const trained = new Float32Array(length);
  let trainedTokens = 0;
  for (let t = 0; t < length; t += 1) {
    if (!mask[t + 1]) continue;
    const logprob = logprobs[t + 1] ?? Number.NaN;
    if (!Number.isFinite(logprob) || logprob > LARGEST_LOGPROB) {
      throw invalid(`Expected a finite log-probability of at most 0 for sampled token ${t + 1} of ${where}, got ${logprob}.`);
    }
    rolloutLogprobs[t] = Math.min(0, logprob);
    advantages[t] = advantage;
    trained[t] = 1;
    trainedTokens += 1;
  }
  return {
    trajectoryId: trajectory.id,
    taskId: trajectory.taskId,
    datum: { inputs: Int32Array.from(ids.slice(0, length)), targets: Int32Array.from(ids.slice(1)) },
    rolloutLogprobs,
    advantages,
    mask: trained,
    trainedTokens,
  };
}

function invalid(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
