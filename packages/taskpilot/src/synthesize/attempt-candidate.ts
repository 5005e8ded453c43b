import { isTadpoleError } from '@tadpole/contracts';
import { type ValidationSettings, validateCandidate } from '../validate/validate-candidate.js';
import type { Validation } from '../validate/validation.js';
import type { Proposal } from './interleave-candidates.js';

/** What became of a candidate: its validation, or why there is none. */
export type Verdict =
  | Validation
  /** The sandbox boundary failed; nothing is known about the candidate. */
  | { readonly status: 'sandbox-failed'; readonly error: Error };

/** Validates a candidate; a failed sandbox boundary is a verdict here, so that one need not end a long run. */
export async function attemptCandidate(
  options: ValidationSettings & Proposal & { random: () => number; signal?: AbortSignal },
): Promise<Verdict> {
  try {
    return await validateCandidate(options);
  } catch (error) {
    if (isTadpoleError(error) && error.code === 'sandbox') return { status: 'sandbox-failed', error };
    throw error;
  }
}

/** Throws the boundary's error once it has failed so many times in a row. */
export function createBoundaryPatience(options: { failures: number }): (verdict: Verdict) => void {
  let inRow = 0;
  return (verdict) => {
    inRow = verdict.status === 'sandbox-failed' ? inRow + 1 : 0;
    if (verdict.status === 'sandbox-failed' && inRow >= options.failures) throw verdict.error;
  };
}
