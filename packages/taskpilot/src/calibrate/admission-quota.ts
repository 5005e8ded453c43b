import type { CalibrationCandidate } from './measurement.js';

/** Largest shares of an iteration's tasks that one strategy and one repository may have. */
export interface QuotaShares {
  readonly strategy: number;
  readonly repository: number;
}

/** taskpilot.md section 5, default algorithm (5). */
export const defaultQuotaShares: QuotaShares = { strategy: 0.25, repository: 0.2 };

/** Counts admitted tasks against {@link QuotaShares}. */
export interface AdmissionQuota {
  isStrategyOpen(strategy: string): boolean;
  isRepositoryOpen(repository: string): boolean;
  add(candidate: CalibrationCandidate): void;
}

/** A share below an equal part is raised to it: three strategies may have a third each. */
export function createAdmissionQuota(options: {
  count: number;
  shares: QuotaShares;
  strategies: readonly string[];
  repositories: readonly string[];
}): AdmissionQuota {
  const { count, shares } = options;
  const mostOf = (share: number, kinds: number) => Math.max(Math.floor(count * share), Math.ceil(count / Math.max(1, kinds)));
  const mostByStrategy = mostOf(shares.strategy, options.strategies.length);
  const mostByRepository = mostOf(shares.repository, options.repositories.length);
  const [byStrategy, byRepository] = [new Map<string, number>(), new Map<string, number>()];
  return {
    isStrategyOpen: (strategy) => (byStrategy.get(strategy) ?? 0) < mostByStrategy,
    isRepositoryOpen: (repository) => (byRepository.get(repository) ?? 0) < mostByRepository,
    add({ strategy, repository }) {
      byStrategy.set(strategy, (byStrategy.get(strategy) ?? 0) + 1);
      byRepository.set(repository, (byRepository.get(repository) ?? 0) + 1);
    },
  };
}
