import type { Rate } from '@tadpole/contracts';

/** A rate for people: `14/50 = 28.0 % [17.5, 41.7]`, the interval in percent. */
export function formatRate(rate: Rate): string {
  const [low, high] = rate.interval;
  return `${rate.successes}/${rate.trials} = ${percent(rate.rate)} % [${percent(low)}, ${percent(high)}]`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
