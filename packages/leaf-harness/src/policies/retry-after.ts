/**
 * The wait that an endpoint asks for, in milliseconds: `retry-after-ms`, or `Retry-After` as seconds or as a date
 * (RFC 9110 section 10.2.3). Undefined when it asks for none or writes something else.
 */
export function retryAfterMs(options: { headers: Headers; nowMs: number }): number | undefined {
  const { headers, nowMs } = options;
  const ms = nonNegative(headers.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const value = headers.get('retry-after');
  const seconds = nonNegative(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function nonNegative(value: string | null): number | undefined {
  if (value === null || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
