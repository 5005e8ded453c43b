import { type Candidate, type Snapshot, TadpoleError } from '@tadpole/contracts';
import { areApart, type Combination, type CombinationScope, combinationPlace, combineParts } from './combine-parts.js';
import { shuffle } from './shuffle.js';

const patience = 50;

/**
 * Combines candidates of one snapshot, which should each be known to be a bug: a solver must find all of them.
 * Parts never overlap nor touch. Yields different combinations in random order until no new one turns up;
 * the same candidates and `random` give the same ones. Lineage: generator `combination`, operator
 * `combine-<scope>`, file and line of the first part, and the ids of all. Candidates that are more than edits of
 * spans (whole files, a solution of their own) are passed over.
 *
 * @throws TadpoleError `invalid-input` for a size outside 2..4.
 */
export function* combineCandidates(options: {
  candidates: readonly Candidate[];
  snapshot: Pick<Snapshot, 'hash'>;
  scope: CombinationScope;
  /** Parts of each combination, 2 to 4. @default 2 */
  size?: number;
  /** Uniform in [0, 1). */
  random: () => number;
}): Generator<Combination> {
  const { candidates, snapshot, scope, size = 2, random } = options;
  if (![2, 3, 4].includes(size)) {
    throw new TadpoleError({ code: 'invalid-input', message: `combineCandidates: expected a size of 2, 3 or 4, got ${size}.` });
  }
  const groups = groupsOf(candidates, scope).filter((group) => group.length >= size);
  const seen = new Set<string>();
  for (let misses = 0; groups.length > 0 && misses < patience; misses += 1) {
    const group = groups[Math.floor(random() * groups.length)] ?? [];
    const parts = chooseParts({ group, scope, size, random });
    if (parts === null) continue;
    const combination = combineParts({ parts, scope, snapshot });
    const key = JSON.stringify(combination.parts.map(({ edits }) => edits));
    if (seen.has(key)) continue;
    seen.add(key);
    misses = -1;
    yield combination;
  }
}

/** Candidates that may be combined with each other; one that edits several files only goes with any file. */
function groupsOf(candidates: readonly Candidate[], scope: CombinationScope): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const place = combinationPlace({ candidate, scope });
    if (place === null) continue;
    groups.set(place, [...(groups.get(place) ?? []), candidate]);
  }
  return [...groups.values()];
}

function chooseParts(options: {
  group: readonly Candidate[];
  scope: CombinationScope;
  size: number;
  random: () => number;
}): Candidate[] | null {
  const { group, scope, size, random } = options;
  const parts: Candidate[] = [];
  for (const candidate of shuffle(group, { random })) {
    if (parts.every((part) => areApart({ left: part, right: candidate, scope }))) parts.push(candidate);
    if (parts.length === size) return parts;
  }
  return null;
}
