import { TadpoleError } from '@tadpole/contracts';
import { firstOf, isEndOf } from '../until-deadline.js';
import type { AdmissionQuota } from './admission-quota.js';
import type { BankBook } from './bank-book.js';
import type { CandidateSource } from './candidate-source.js';
import type { Band } from './grid-prior.js';
import { type CalibrationCandidate, calibrationCandidateSchema } from './measurement.js';
import { posterior } from './posterior.js';
import type { PreparedSlot } from './slot.js';
import type { StrategyChooser } from './strategy-bandit.js';

/** The bank's tasks that are in the band with at least `minProbabilityInBand`, likeliest first. */
export function rankBank(options: { slots: readonly PreparedSlot[]; band: Band; minProbabilityInBand: number }): PreparedSlot[] {
  const { slots, band, minProbabilityInBand } = options;
  return slots
    .map((slot) => ({ slot, chance: posterior({ ...slot.count, prior: slot.prior, band }).probabilityInBand }))
    .filter(({ chance }) => chance >= minProbabilityInBand)
    .sort((a, b) => b.chance - a.chance)
    .map(({ slot }) => slot);
}

/** Hands out fresh candidates of open strategies. */
export interface FreshCandidates<SourceEvent> {
  /** Null when no open strategy has one now. Yields what the source says. */
  next(): AsyncGenerator<SourceEvent, CalibrationCandidate | null>;
  taken(): number;
}

/** Asks the strategies that `chooser` picks, until each is full or has no more. */
export function freshCandidates<SourceEvent>(options: {
  source: CandidateSource<SourceEvent>;
  chooser: StrategyChooser;
  quota: AdmissionQuota;
  book: BankBook;
  signal: AbortSignal | undefined;
  /** Ends a search at work, which then finds none. */
  deadline: AbortSignal | undefined;
}): FreshCandidates<SourceEvent> {
  const { source, chooser, quota, book, deadline } = options;
  const signal = firstOf(options.signal, deadline);
  const ended = new Set<string>();
  const isReady = (strategy: string) => source.isReady?.(strategy) ?? !ended.has(strategy);
  let taken = 0;
  return {
    taken: () => taken,
    async *next() {
      try {
        return yield* search();
      } catch (error) {
        if (options.signal?.aborted || !isEndOf(deadline, error)) throw error;
        return null;
      }
    },
  };

  async function* search(): AsyncGenerator<SourceEvent, CalibrationCandidate | null> {
    const empty = new Set<string>();
    for (;;) {
      const open = source.strategies.filter((name) => !empty.has(name) && isReady(name) && quota.isStrategyOpen(name));
      if (open.length === 0) return null;
      const strategy = chooser.choose(open);
      const answer = source.next({ strategy, ...(signal === undefined ? {} : { signal }) });
      const candidate = Symbol.asyncIterator in answer ? yield* answer : await answer;
      if (candidate === null) {
        empty.add(strategy);
        ended.add(strategy);
        continue;
      }
      taken++;
      requireNewTask({ candidate, strategy, book });
      return candidate;
    }
  }
}

function requireNewTask(options: { candidate: CalibrationCandidate; strategy: string; book: BankBook }): void {
  const { candidate, strategy, book } = options;
  const issue = calibrationCandidateSchema.safeParse(candidate).error?.issues[0];
  const problem =
    issue !== undefined
      ? `${issue.message} at ${issue.path.join('.')}`
      : candidate.strategy !== strategy
        ? `one of strategy ${candidate.strategy}`
        : book.has(candidate.id)
          ? `${candidate.id}, which was given before`
          : null;
  if (problem !== null)
    throw new TadpoleError({
      code: 'invalid-input',
      message: `calibrateIteration: expected a new candidate of strategy ${strategy}, got ${problem}; mend the source's next().`,
    });
}
