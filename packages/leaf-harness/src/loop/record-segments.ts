import { TadpoleError, type TokenSegment, type TurnTokens } from '@tadpole/contracts';

interface OpenSegment {
  ids: number[];
  mask: boolean[];
  logprobs: number[];
  weightsVersions: string[];
  /** Kept for a segment of several versions alone. */
  versionIndices: number[];
}

/**
 * Lays the turns' tokens end to end, exactly as the sampler gave them. A turn whose prompt extends the ids so far
 * continues the segment; any other starts a new one, and the break is counted. `mask` is true exactly where a token
 * was sampled, so its sum over all segments is the number of sampled tokens.
 *
 * @throws TadpoleError `invalid-input` when a turn has not one log-probability for every completion id.
 */
export function recordSegments(turns: readonly TurnTokens[]): { segments: TokenSegment[]; segmentBreaks: number } {
  const segments: OpenSegment[] = [];
  for (const turn of turns) {
    assertEqualLengths(turn);
    let segment = segments.at(-1);
    if (segment === undefined || !startsWith(turn.promptIds, segment.ids)) {
      segment = { ids: [], mask: [], logprobs: [], weightsVersions: [], versionIndices: [] };
      segments.push(segment);
    }
    if (!segment.weightsVersions.includes(turn.weightsVersion)) segment.weightsVersions.push(turn.weightsVersion);
    const version = segment.weightsVersions.indexOf(turn.weightsVersion);
    for (const id of turn.promptIds.slice(segment.ids.length)) append(segment, { id, sampled: false, logprob: 0, version: 0 });
    for (const [index, id] of turn.completionIds.entries()) {
      append(segment, { id, sampled: true, logprob: turn.completionLogprobs[index]!, version });
    }
  }
  return { segments: segments.map(closeSegment), segmentBreaks: Math.max(0, segments.length - 1) };
}

function assertEqualLengths({ completionIds, completionLogprobs }: TurnTokens): void {
  const [ids, logprobs] = [completionIds.length, completionLogprobs.length];
  if (ids === logprobs) return;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected one log-probability for each of ${ids} completion ids, received ${logprobs}. A sampler must report both for every token it drew.`,
  });
}

function append(segment: OpenSegment, token: { id: number; sampled: boolean; logprob: number; version: number }): void {
  segment.ids.push(token.id);
  segment.mask.push(token.sampled);
  segment.logprobs.push(token.logprob);
  segment.versionIndices.push(token.version);
}

function closeSegment({ versionIndices, ...segment }: OpenSegment): TokenSegment {
  return segment.weightsVersions.length > 1 ? { ...segment, versionIndices } : segment;
}

function startsWith(ids: readonly number[], prefix: readonly number[]): boolean {
  return ids.length >= prefix.length && prefix.every((id, index) => ids[index] === id);
}
