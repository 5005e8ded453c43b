import { isTadpoleError, type RewardFunction, type RewardScore, TadpoleError } from '@tadpole/contracts';

/** A reward function and how much its score counts. */
export interface WeightedReward {
  readonly reward: RewardFunction;
  /** Any finite number; a negative one makes a penalty. */
  readonly weight: number;
}

/** The weighted sum of several scores, with each of them. */
export interface ComposedScore extends RewardScore {
  /** By name of the reward function: its own score, before weighting, with its reason. */
  readonly parts: NonNullable<RewardScore['parts']>;
}

/** A reward function whose score keeps its parts. */
export interface ComposedReward extends RewardFunction {
  /** Asks all parts, in their order, one after the other. */
  score(call: Parameters<RewardFunction['score']>[0]): Promise<ComposedScore>;
}

/**
 * Adds up reward functions, each by its weight, and keeps what each one said.
 *
 * @throws TadpoleError `invalid-input` for no parts, two of one name, or a weight that is not finite. On scoring, a part that
 * throws or gives a number that is not finite is an error that names it and the trajectory; the code of a part's own
 * TadpoleError stays (`aborted`, for one), any other is `invalid-input`.
 */
export function composeRewards(options: {
  rewards: readonly WeightedReward[];
  /** @default the names of the parts, joined by `+` */
  name?: string;
}): ComposedReward {
  const { rewards } = options;
  const names = rewards.map(({ reward }) => reward.name);
  assertParts(rewards, names);
  const liveState = rewards.flatMap((part) => (part.reward.liveState === undefined ? [] : [part.reward.liveState]));
  return {
    name: options.name ?? names.join('+'),
    ...(liveState.length > 0 && { liveState: liveState.join(', ') }),
    async score(call) {
      const parts: Record<string, RewardScore & { weight: number }> = {};
      let score = 0;
      for (const { reward, weight } of rewards) {
        const part = await scorePart(reward, call);
        parts[reward.name] = { ...part, weight };
        score += weight * part.score;
      }
      return { score, parts };
    },
  };
}

function assertParts(rewards: readonly WeightedReward[], names: readonly string[]): void {
  if (rewards.length === 0) throw invalid('Expected at least one reward function, got none.');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`Expected reward functions of different names, got "${twice}" twice: parts are kept by name.`);
  const bad = rewards.find(({ weight }) => !Number.isFinite(weight));
  if (bad) throw invalid(`Expected a finite weight for reward "${bad.reward.name}", got ${bad.weight}.`);
}

async function scorePart(reward: RewardFunction, call: Parameters<RewardFunction['score']>[0]): Promise<RewardScore> {
  const where = `Reward "${reward.name}" of trajectory ${call.trajectory.id}`;
  let part: RewardScore;
  try {
    part = await reward.score(call);
  } catch (cause) {
    const code = isTadpoleError(cause) ? cause.code : 'invalid-input';
    throw new TadpoleError({ code, message: `${where} failed: ${cause instanceof Error ? cause.message : String(cause)}`, cause });
  }
  if (Number.isFinite(part?.score)) return part;
  throw invalid(`${where}: expected a finite score, got ${part?.score}.`);
}

function invalid(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
