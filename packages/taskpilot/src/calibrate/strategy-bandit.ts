/** Decides which strategy is asked for the next candidate, and learns from what became of it. */
export interface StrategyChooser {
  /** `open` is not empty. */
  choose(open: readonly string[]): string;
  /** Learns from a verdict on one of its candidates. */
  observe(result: { strategy: string; inBand: boolean }): void;
}

/** Every open strategy is equally likely. */
export function uniformChooser(options: { random: () => number }): StrategyChooser {
  return {
    choose: (open) => open[Math.floor(options.random() * open.length)] as string,
    observe() {},
  };
}

/**
 * Thompson sampling of the share of candidates in the band: Beta(1 + in band, 1 + refused), whose counts are both
 * scaled down when the first passes 12 or the second 40, so that old results fade; and a share of choices is
 * uniform (taskpilot.md section 5, default algorithm (5)).
 */
export function strategyBandit(options: {
  random: () => number;
  /** Share of uniform choices. @default 0.15 */
  exploration?: number;
  /** @default { inBand: 12, refused: 40 } */
  cap?: { readonly inBand: number; readonly refused: number };
}): StrategyChooser {
  const { random, exploration = 0.15, cap = { inBand: 12, refused: 40 } } = options;
  const counts = new Map<string, { inBand: number; refused: number }>();
  const uniform = uniformChooser({ random });
  return {
    choose(open) {
      if (random() < exploration) return uniform.choose(open);
      const draws = open.map((strategy) => {
        const { inBand, refused } = counts.get(strategy) ?? { inBand: 0, refused: 0 };
        return sampleBeta({ alpha: 1 + inBand, beta: 1 + refused, random });
      });
      return open[draws.indexOf(Math.max(...draws))] as string;
    },
    observe({ strategy, inBand }) {
      const before = counts.get(strategy) ?? { inBand: 0, refused: 0 };
      const next = { inBand: before.inBand + (inBand ? 1 : 0), refused: before.refused + (inBand ? 0 : 1) };
      const scale = Math.min(1, cap.inBand / Math.max(next.inBand, 1e-9), cap.refused / Math.max(next.refused, 1e-9));
      counts.set(strategy, { inBand: next.inBand * scale, refused: next.refused * scale });
    },
  };
}

function sampleBeta({ alpha, beta, random }: { alpha: number; beta: number; random: () => number }): number {
  const left = sampleGamma({ shape: alpha, random });
  return left / (left + sampleGamma({ shape: beta, random }));
}

/** Marsaglia and Tsang 2000; `shape` is at least 1. */
function sampleGamma({ shape, random }: { shape: number; random: () => number }): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const v = (1 + c * normal) ** 3;
    if (v > 0 && Math.log(1 - random()) < normal ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}
