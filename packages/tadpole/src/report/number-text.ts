/** A share for people: `41.3 %`, unbroken by a line's end. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)}\u00a0%`;
}

/** A band of solve rates: `from 30 % to 70 %`, unbroken before the sign. */
export function bandText(band: readonly [number, number]): string {
  const [low, high] = band.map((share) => Number((share * 100).toFixed(1)));
  return `from ${low}\u00a0% to ${high}\u00a0%`;
}

/** A difference of two shares with its interval, in percentage points: `+13.3 points [7.1, 19.4]`. */
export function pointsText(options: { difference: number; interval: readonly [number, number] }): string {
  const { difference, interval } = options;
  const points = (share: number) => (share * 100).toFixed(1);
  return `${difference > 0 ? '+' : ''}${points(difference)} percentage points [${points(interval[0])}, ${points(interval[1])}]`;
}

/** A p-value with its relation: `p = 0.034`, `p < 0.0001`. */
export function pValueText(pValue: number): string {
  if (pValue < 0.0001) return 'p < 0.0001';
  return `p = ${pValue >= 0.1 ? pValue.toFixed(2) : String(Number(pValue.toPrecision(2)))}`;
}

/** A count with its noun: `1 task`, `1,024 tasks`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}
