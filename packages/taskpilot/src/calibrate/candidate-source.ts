import type { CalibrationCandidate } from './measurement.js';

/** Where candidates come from: a strategy is asked for its next one when the calibrator wants it. */
export interface CandidateSource {
  readonly strategies: readonly string[];
  readonly repositories: readonly string[];
  /** Null when the strategy has no more. Ids never repeat. */
  next(options: { strategy: string; signal?: AbortSignal }): Promise<CalibrationCandidate | null>;
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
