import { TadpoleError } from '@tadpole/contracts';

/** @throws TadpoleError `invalid-input` for a threshold below 0 or not a number. */
export function assertThresholds(thresholds: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(thresholds)) {
    if (value >= 0) continue;
    throw new TadpoleError({ code: 'invalid-input', message: `Expected ${name} of at least 0, got ${value}.` });
  }
}

/** @throws TadpoleError `invalid-input` for bounds on the ratio that do not enclose 1, where every ratio starts. */
export function assertRatioBounds(bounds: { clipLow: number; clipHigh: number }): void {
  const { clipLow, clipHigh } = bounds;
  if (clipLow >= 0 && clipLow <= 1 && clipHigh >= 1) return;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected bounds of the ratio with 0 <= clipLow <= 1 <= clipHigh, got ${clipLow} and ${clipHigh}. They are bounds, not distances from 1: 0.8 and 1.2, not 0.2 and 0.2.`,
  });
}
