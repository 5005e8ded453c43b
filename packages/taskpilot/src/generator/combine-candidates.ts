import { dirname } from 'node:path/posix';
import { type Candidate, type Snapshot, type SpanEdit, TadpoleError } from '@tadpole/contracts';
import { spanEditsOf } from '../edit/span-edits-of.js';
import { candidateIdOf } from '../validate/candidate-trees.js';
import { shuffle } from './shuffle.js';

/** Where the parts of a combination lie: in one file, in several files of one folder, or in several files anywhere. */
export type CombinationScope = 'same-file' | 'same-module' | 'across-files';

/** A candidate that makes the bugs of several at once. */
export interface Combination {
  readonly candidate: Candidate;
  /** What it was made of, by file and place. */
  readonly parts: readonly Candidate[];
}

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
    const key = JSON.stringify(parts?.map(({ edits }) => edits));
    if (parts === null || seen.has(key)) continue;
    seen.add(key);
    misses = -1;
    yield { candidate: combined({ parts, scope, snapshot }), parts };
  }
}

/** Candidates that may be combined with each other; one that edits several files only goes with any file. */
function groupsOf(candidates: readonly Candidate[], scope: CombinationScope): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const places = new Set(filesOf(candidate).map((file) => (scope === 'same-file' ? file : scope === 'same-module' ? dirname(file) : '')));
    const [place] = places;
    if (place === undefined || places.size > 1) continue;
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
    const fits = parts.every((part) => !touches(part, candidate) && (scope === 'same-file' || !sharesFile(part, candidate)));
    if (fits) parts.push(candidate);
    if (parts.length === size) return parts.sort((left, right) => compare(firstEdit(left), firstEdit(right)));
  }
  return null;
}

function combined(options: { parts: readonly Candidate[]; scope: CombinationScope; snapshot: Pick<Snapshot, 'hash'> }): Candidate {
  const { parts, scope, snapshot } = options;
  const { file = '', line = 1 } = parts[0]?.lineage ?? {};
  const edits = parts.flatMap(spansOf).sort(compare);
  const ids = parts.map((candidate) => candidateIdOf({ snapshot, candidate }));
  return { edits, lineage: { generator: 'combination', operator: `combine-${scope}`, file, line, parts: ids } };
}

function touches(left: Candidate, right: Candidate): boolean {
  return spansOf(left).some((one) =>
    spansOf(right).some((other) => one.file === other.file && one.start <= other.end && other.start <= one.end),
  );
}

function sharesFile(left: Candidate, right: Candidate): boolean {
  return filesOf(left).some((file) => filesOf(right).includes(file));
}

function filesOf(candidate: Candidate): string[] {
  return spansOf(candidate).map(({ file }) => file);
}

function firstEdit(candidate: Candidate): SpanEdit | undefined {
  return [...spansOf(candidate)].sort(compare)[0];
}

function spansOf(candidate: Candidate): readonly SpanEdit[] {
  return spanEditsOf(candidate) ?? [];
}

function compare(left: SpanEdit | undefined, right: SpanEdit | undefined): number {
  const [one, other] = [left?.file ?? '', right?.file ?? ''];
  return one < other ? -1 : one > other ? 1 : (left?.start ?? 0) - (right?.start ?? 0);
}
