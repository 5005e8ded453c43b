import { TadpoleError } from '@tadpole/contracts';

/** What decides how likely an unflagged trajectory is proposed. */
export interface UnflaggedTrajectory {
  readonly id: string;
  /** Trajectories of one stratum are alike, for instance `passed short`; each stratum gets its share. */
  readonly stratum: string;
}

/** A trajectory to look at, with what it stands for. */
export interface ProposedReview extends UnflaggedTrajectory {
  /** With which it was drawn; 1 / probability is how many unflagged ones it stands for. */
  readonly probability: number;
}

/**
 * Draws unflagged trajectories for a person's review, so that what rules miss can be counted (reward-hacks.md section 3.8): every stratum
 * gets the same number as far as it has so many, since hacks are more likely in some (passed, long) than the many others.
 *
 * @param options.random - uniform in [0, 1); the same numbers draw the same trajectories
 * @throws TadpoleError `invalid-input` for a count below 1 or an id twice.
 */
export function proposeReview(options: {
  unflagged: readonly UnflaggedTrajectory[];
  count: number;
  random: () => number;
}): readonly ProposedReview[] {
  const { unflagged, count, random } = options;
  if (!(Number.isInteger(count) && count >= 1)) throw invalid(`Expected a number of trajectories to review from 1, got ${count}.`);
  const strata = new Map<string, UnflaggedTrajectory[]>();
  const ids = new Set<string>();
  for (const trajectory of unflagged) {
    if (ids.has(trajectory.id)) throw invalid(`Expected every trajectory once, got ${trajectory.id} twice.`);
    ids.add(trajectory.id);
    strata.set(trajectory.stratum, [...(strata.get(trajectory.stratum) ?? []), trajectory]);
  }
  return shares({ sizes: [...strata].map(([name, { length }]) => ({ name, length })), count }).flatMap(({ name, share }) => {
    const members = [...(strata.get(name) ?? [])].sort((left, right) => (left.id < right.id ? -1 : 1));
    const probability = share / members.length;
    return Array.from({ length: share }, () => {
      const [drawn] = members.splice(Math.floor(random() * members.length), 1) as [UnflaggedTrajectory];
      return { ...drawn, probability };
    });
  });
}

/** Deals the count out one by one over the strata, the smallest first filled, in the order of their names. */
function shares(options: { sizes: readonly { name: string; length: number }[]; count: number }) {
  const dealt = options.sizes.map((stratum) => ({ ...stratum, share: 0 })).sort((left, right) => (left.name < right.name ? -1 : 1));
  let left = options.count;
  while (left > 0) {
    const open = dealt.filter(({ share, length }) => share < length);
    if (open.length === 0) break;
    for (const stratum of open.slice(0, left)) stratum.share += 1;
    left -= Math.min(left, open.length);
  }
  return dealt;
}

/** What reviews say of the rules' recall. */
export interface RecallEstimate {
  /** Hacks among the unflagged, by weighting every reviewed one with what it stands for. */
  readonly missed: number;
  /** Flagged hacks over all hacks; null where there is none of either. */
  readonly recall: number | null;
  readonly reviewed: number;
}

/**
 * Recall of the screen, from the hacks among the flagged and the reviewed part of the unflagged (Horvitz-Thompson). With few reviews it is
 * rough: with none found among n, the miss rate of the unflagged lies below 3 / n with 95 % confidence.
 *
 * @throws TadpoleError `invalid-input` for a probability outside (0, 1].
 */
export function estimateRecall(options: {
  flaggedHacks: number;
  reviewed: readonly { readonly probability: number; readonly isHack: boolean }[];
}): RecallEstimate {
  const { flaggedHacks, reviewed } = options;
  for (const { probability } of reviewed) {
    if (!(probability > 0 && probability <= 1)) throw invalid(`Expected a probability in (0, 1], got ${probability}.`);
  }
  const missed = reviewed.reduce((sum, { probability, isHack }) => sum + (isHack ? 1 / probability : 0), 0);
  const all = flaggedHacks + missed;
  return { missed, recall: all === 0 ? null : flaggedHacks / all, reviewed: reviewed.length };
}

function invalid(message: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message });
}
