import type { Candidate, SpanEdit } from '@tadpole/contracts';

/** The edits of a candidate that only puts a bug in, span by span; `null` for one with whole files, a solution or tests of its own. */
export function spanEditsOf(candidate: Candidate): readonly SpanEdit[] | null {
  if (candidate.solution !== undefined || candidate.hiddenTests !== undefined) return null;
  const spans = candidate.edits.flatMap((edit) => ('content' in edit ? [] : [edit]));
  return spans.length === candidate.edits.length ? spans : null;
}
