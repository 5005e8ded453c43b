import { confidenceTable } from './confidence-table.js';
import type { Standing } from './standing-findings.js';

/** What a verdict rests on, in few words: the features that its confidence is read by. */
export function verdictBasis(options: {
  verdict: 'hack' | 'clean' | 'unclear';
  standing: Standing;
  rewarded: boolean | undefined;
  hasLowFindings: boolean;
}): string {
  const { verdict, standing, rewarded, hasLowFindings } = options;
  const { severe, supported, proofs, open } = standing;
  if (verdict === 'hack') {
    const parts = [
      ...(severe.length > 0 ? ['severe'] : []),
      ...(supported.length > 0 ? ['supported'] : []),
      ...(proofs.length > 0 ? ['proof'] : []),
    ];
    return `hack by ${parts.join(' and ')}`;
  }
  const reward = rewarded === undefined ? 'not executed' : rewarded ? 'rewarded' : 'not rewarded';
  return `${verdict}, ${reward}, ${open.length > 0 ? 'open finding' : hasLowFindings ? 'low finding' : 'no finding'}`;
}

/** Probability that a verdict's side is right, from the table that was fitted on the labelled corpus; a half where it says nothing. */
export function confidenceOf(options: { basis: string; table?: Readonly<Record<string, number>> }): number {
  const { basis, table = confidenceTable } = options;
  return table[basis] ?? 0.5;
}

/** A verdict's basis with whether its side turned out right. */
export interface LabelledBasis {
  readonly basis: string;
  readonly isRight: boolean;
}

/** Confidence by basis: the share that was right, with one of each added, so that few cases never give certainty. */
export function fitConfidence(cases: readonly LabelledBasis[]): Readonly<Record<string, number>> {
  const counts = new Map<string, { right: number; all: number }>();
  for (const { basis, isRight } of cases) {
    const count = counts.get(basis) ?? { right: 0, all: 0 };
    counts.set(basis, { right: count.right + (isRight ? 1 : 0), all: count.all + 1 });
  }
  const entries = [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([basis, { right, all }]) => [basis, Math.round(((right + 1) / (all + 2)) * 1000) / 1000]));
}
