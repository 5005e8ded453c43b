/** What differs from run to run in an observation, and what stands for it. */
const replacements: readonly { readonly what: RegExp; readonly by: string }[] = [
  // pytest: "1 passed in 0.03s"
  { what: /\bin \d+\.\d\ds\b/g, by: 'in 0.02s' },
  // node --test: TAP, spec and JUnit
  { what: /duration_ms(:?) \d+(?:\.\d+)?/g, by: 'duration_ms$1 0.8' },
  { what: /\(\d+(?:\.\d+)?ms\)/g, by: '(0.8ms)' },
  { what: / time="\d+\.\d+"/g, by: ' time="0.001"' },
  // vitest
  { what: /Start at {2}\d\d:\d\d:\d\d/g, by: 'Start at  09:00:00' },
  { what: /Duration {2}.*/g, by: 'Duration  210ms' },
  { what: /(\)|\S) \d+(?:\.\d+)?ms$/gm, by: '$1 3ms' },
  // unittest
  { what: /\bRan (\d+ tests?) in \d+\.\d+s/g, by: 'Ran $1 in 0.001s' },
  // processes, addresses, temporary names, npm's log files
  { what: /\(node:\d+\)/g, by: '(node:23)' },
  { what: /\b0x[0-9a-f]{8,16}\b/g, by: '0x7f3a5c0de010' },
  { what: /\/tmp\/tmp[.a-zA-Z0-9_]{6,}/g, by: '/tmp/tmp.k2Jx9Q' },
  { what: /\d{4}-\d\d-\d\dT\d\d_\d\d_\d\d_\d{3}Z/g, by: '2026-03-02T09_00_00_000Z' },
];

/** An observation as every build records it: durations, clocks, process ids, addresses and temporary names are replaced. */
export function normaliseOutput(text: string): string {
  return replacements.reduce((result, { what, by }) => result.replace(what, by), text);
}
