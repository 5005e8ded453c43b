import { createHash } from 'node:crypto';

/** sha256 over plain JSON data with sorted keys, in hex: equal for equal meaning; members that are `undefined` do not count. */
export function settingsHash(settings: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(settings)))
    .digest('hex');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}
