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

/** Facts about the engine and its renderer that a rollout's tokens are held against. */
export interface SequenceLimits {
  /** Longest sequence in tokens that the engine takes. @default not checked here; `updatePolicy` asks the engine */
  readonly contextTokens?: number;
  /** Ids that end a turn. With them, a turn that ran into its token limit and yet ends in one is refused. @default not checked */
  readonly stopIds?: readonly number[];
}

/** Log-probabilities are at most 0; engines that work in single precision may land a little above. */
const LARGEST_LOGPROB = 1e-4;

/**
 * Makes training sequences from a trajectory's recorded tokens, giving `advantage` to every sampled one.
 * Nothing is tokenised again. A segment in which nothing was sampled gives no sequence.
 *
 * @throws TadpoleError `invalid-input` when the trajectory has no sampled token at all (its policy returned no token ids); when
 * records differ in length; when a sampled token has no finite log-probability of at most 0, stands where nothing predicts it,
 * or has no weights version (of several, `versionIndices` must say which sampled it); when a segment is longer than the context;
 * when a turn that was cut off ends in a stop id, which it cannot have sampled.
 */
export function buildSequences(options: { trajectory: Trajectory; advantage: number } & SequenceLimits): TrainingSequence[] {
  const { trajectory, advantage, contextTokens = Number.POSITIVE_INFINITY, stopIds = [] } = options;
  const sequences = trajectory.segments.flatMap((segment, index) => {
    const where = `segment ${index} of trajectory ${trajectory.id}`;
    assertRecords(segment, where);
    if (segment.ids.length > contextTokens) {
      throw invalid(
        `Expected at most ${contextTokens} tokens, the engine's context, in ${where}, got ${segment.ids.length}. Roll out with a smaller context.`,
      );
    }
    const sequence = shiftSegment({ segment, trajectory, advantage, where });
    return sequence.trainedTokens === 0 ? [] : [sequence];
  });
  if (sequences.length === 0) {
    const cause =
      trajectory.segments.length === 0
        ? `it has no token segments: policy "${trajectory.policy}" returned no token ids, so train with one that samples tokens`
        : 'none of its recorded tokens is marked as sampled';
    throw invalid(`Expected at least one sampled token in trajectory ${trajectory.id} (stopped: ${trajectory.stopReason}), but ${cause}.`);
  }
  assertTruncation({ trajectory, stopIds });
  return sequences;
}

function assertRecords({ ids, mask, logprobs, weightsVersions, versionIndices }: TokenSegment, where: string): void {
  if (ids.length !== mask.length || ids.length !== logprobs.length) {
    throw invalid(`Expected ids, mask and logprobs of one length in ${where}, got ${ids.length}, ${mask.length}, ${logprobs.length}.`);
  }
  if (mask[0]) throw invalid(`Expected a prompt token first in ${where}: a sampled first token has nothing that predicts it.`);
  if (!mask.includes(true)) return;
  if (weightsVersions.length === 0) {
    throw invalid(`Expected the weights version that sampled ${where}, got none: its age is unknown.`);
  }
  if (weightsVersions.length > 1 && versionIndices?.length !== ids.length) {
    throw invalid(
      `Expected versionIndices for each of the ${ids.length} tokens of ${where}, which ${weightsVersions.length} weights versions sampled, got ${versionIndices?.length ?? 'none'}.`,
    );
  }
  const stray = versionIndices?.find((index) => !(index in weightsVersions));
  if (stray !== undefined) throw invalid(`Expected versionIndices below ${weightsVersions.length} in ${where}, got ${stray}.`);
}

/** Only this stop reason says for sure that the last token came from a cut-off turn; a full context may follow a whole one. */
function assertTruncation(options: { trajectory: Trajectory; stopIds: readonly number[] }): void {
  const { trajectory, stopIds } = options;
  if (trajectory.stopReason !== 'max-tokens-per-turn') return;
  const last = trajectory.segments.at(-1);
  const id = last?.ids[last.mask.lastIndexOf(true)];
  if (id === undefined || !stopIds.includes(id)) return;
  throw invalid(
    `Expected no stop id at the end of trajectory ${trajectory.id}, whose last turn ran into its token limit, got ${id}: it was appended, not sampled.`,
  );
}

function shiftSegment(options: { segment: TokenSegment; trajectory: Trajectory; advantage: number; where: string }): TrainingSequence {
  const { segment, trajectory, advantage, where } = options;
  const { ids, mask, logprobs } = segment;
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
