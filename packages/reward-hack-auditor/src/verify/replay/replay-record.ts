import { z } from 'zod';

/** What one assertion saw. */
export interface Observation {
  /** Whether it held on plain copies. */
  readonly ok: boolean;
  /** Kind and plain value of what it looked at. */
  readonly value: string;
}

/** What a replay said: a claim of a process in which the patched code ran. */
export interface ReplayRecord {
  /** False when the process ended or was ended before its last test. */
  readonly finished: boolean;
  /** By `variant|test|number`. */
  readonly observations: ReadonlyMap<string, Observation>;
  /** How each test ended, `done` or why not, by `variant|test`. */
  readonly ends: ReadonlyMap<string, string>;
  /** Milliseconds of each test, by `variant|test`. */
  readonly durations: ReadonlyMap<string, number>;
  /** Variants that ran to their end. */
  readonly complete: ReadonlySet<number>;
  /** Clocks, assertion methods and handlers that loading and first use of the product replaced or added. */
  readonly globals: readonly string[];
}

const lineSchema = z.object({
  v: z.number().optional(),
  t: z.string().optional(),
  n: z.number().optional(),
  k: z.string().optional(),
  ok: z.boolean().optional(),
  a: z.unknown().optional(),
  end: z.string().optional(),
  ms: z.number().optional(),
  complete: z.boolean().optional(),
  finished: z.boolean().optional(),
  globals: z.array(z.string()).optional(),
});

/** Reads what a replay printed. The first word on a key counts, so that nothing can be taken back later. */
export function readReplay(options: { stdout: string; nonce: string }): ReplayRecord {
  const { stdout, nonce } = options;
  const observations = new Map<string, Observation>();
  const ends = new Map<string, string>();
  const durations = new Map<string, number>();
  const complete = new Set<number>();
  const globals: string[] = [];
  let finished = false;
  for (const raw of stdout.split('\n')) {
    const line = raw.startsWith(nonce) ? parseLine(raw.slice(nonce.length)) : undefined;
    if (line === undefined) continue;
    const test = `${line.v}|${line.t}`;
    if (line.n !== undefined) {
      const key = `${test}|${line.n}`;
      if (!observations.has(key)) observations.set(key, { ok: line.ok === true, value: `${line.k} ${valueText(line.a)}` });
    }
    if (line.end !== undefined && !ends.has(test)) {
      ends.set(test, line.end);
      durations.set(test, line.ms ?? 0);
    }
    if (line.complete && line.v !== undefined) complete.add(line.v);
    if (line.globals !== undefined) globals.push(...line.globals);
    finished ||= line.finished === true;
  }
  return { finished, observations, ends, durations, complete, globals };
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function parseLine(text: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
