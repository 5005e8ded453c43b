import type { Generator, Snapshot } from '@tadpole/contracts';
import { candidateIdOf } from '../validate/candidate-trees.js';
import type { Verdict } from './attempt-candidate.js';
import { interleaveCandidates, type Proposal } from './interleave-candidates.js';
import { orderedWindow } from './ordered-window.js';
import type { SynthesisValidation } from './synthesis-validation.js';

/** A proposal with what became of it. */
export interface ValidatedProposal extends Proposal {
  readonly candidateId: string;
  readonly verdict: Verdict;
}

/**
 * A generator's candidates in its own order with their validations, several at a time, begun ahead of being asked for. Ends with
 * the generator; an early return ends the running validations and waits for them.
 */
export async function* validatedStream(options: {
  snapshots: readonly Snapshot[];
  generator: Generator;
  seed: number | string;
  validation: SynthesisValidation;
  signal: AbortSignal;
}): AsyncGenerator<ValidatedProposal> {
  const { snapshots, generator, seed, validation } = options;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const jobs = interleaveCandidates({ snapshots, generator, seed: `${seed} ${generator.name}`, signal });
  const run = (proposal: Proposal) => validation.attempt({ ...proposal, signal });
  const size = validation.concurrency;
  for await (const { job, result } of orderedWindow({ jobs, size, run, cancel: () => ended.abort() })) {
    yield { ...job, candidateId: candidateIdOf(job), verdict: result };
  }
}
