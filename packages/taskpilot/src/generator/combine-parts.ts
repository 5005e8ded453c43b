import { dirname } from 'node:path/posix';
import type { Candidate, Snapshot, SpanEdit } from '@tadpole/contracts';
import { spanEditsOf } from '../edit/span-edits-of.js';
import { candidateIdOf } from '../validate/candidate-trees.js';

/** Where the parts of a combination lie: in one file, in several files of one folder, or in several files anywhere. */
export type CombinationScope = 'same-file' | 'same-module' | 'across-files';

/** A candidate that makes the bugs of several at once. */
export interface Combination {
  readonly candidate: Candidate;
  /** What it was made of, by file and place. */
  readonly parts: readonly Candidate[];
}

/**
 * What candidates must have in common to be combined in a scope: a file, a folder, or nothing. `null` for one that is more than
 * edits of spans, and for one that is itself spread wider than the scope.
 */
export function combinationPlace(options: { candidate: Candidate; scope: CombinationScope }): string | null {
  const { candidate, scope } = options;
  const places = new Set(filesOf(candidate).map((file) => (scope === 'same-file' ? file : scope === 'same-module' ? dirname(file) : '')));
  const [place] = places;
  return place === undefined || places.size > 1 ? null : place;
}

/** Whether two candidates of one place may be parts of one combination: their edits neither overlap nor touch. */
export function areApart(options: { left: Candidate; right: Candidate; scope: CombinationScope }): boolean {
  const { left, right, scope } = options;
  return !touches(left, right) && (scope === 'same-file' || !sharesFile(left, right));
}

/** Makes one candidate of parts that are apart from each other. */
export function combineParts(options: {
  /** In any order. */
  parts: readonly Candidate[];
  scope: CombinationScope;
  snapshot: Pick<Snapshot, 'hash'>;
}): Combination {
  const { scope, snapshot } = options;
  const parts = [...options.parts].sort((left, right) => compare(firstEdit(left), firstEdit(right)));
  const { file = '', line = 1 } = parts[0]?.lineage ?? {};
  const edits = parts.flatMap(spansOf).sort(compare);
  const ids = parts.map((candidate) => candidateIdOf({ snapshot, candidate }));
  return { candidate: { edits, lineage: { generator: 'combination', operator: `combine-${scope}`, file, line, parts: ids } }, parts };
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
