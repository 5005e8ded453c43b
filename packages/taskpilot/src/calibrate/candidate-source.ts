import type { CalibrationCandidate } from './measurement.js';

/**
 * Where candidates come from: a strategy is asked for its next one when the calibrator wants it. A source that has something to
 * say on the way yields it, and the calibrator passes it on.
 */
export interface CandidateSource<SourceEvent = never> {
  readonly strategies: readonly string[];
  readonly repositories: readonly string[];
  /** Whether a strategy may be asked now; one that makes candidates of measured ones waits for those. @default always */
  isReady?(strategy: string): boolean;
  /** Null when the strategy has none now. Unless there is an `isReady`, it is not asked again. Ids never repeat. */
  next(options: {
    strategy: string;
    signal?: AbortSignal;
  }): Promise<CalibrationCandidate | null> | AsyncGenerator<SourceEvent, CalibrationCandidate | null>;
}

/** A fixed pool as a source: each strategy's candidates in the given order. */
export function candidatePool(candidates: readonly CalibrationCandidate[]): CandidateSource {
  const strategies = [...new Set(candidates.map(({ strategy }) => strategy))];
  const queues = new Map(strategies.map((name) => [name, candidates.filter(({ strategy }) => strategy === name).values()]));
  return {
    strategies,
    repositories: [...new Set(candidates.map(({ repository }) => repository))],
    next: async ({ strategy }) => queues.get(strategy)?.next().value ?? null,
  };
}
