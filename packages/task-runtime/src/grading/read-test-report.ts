import { createHmac, timingSafeEqual } from 'node:crypto';
import { type TestResult, testResultSchema } from '@tadpole/contracts';
import { z } from 'zod';

const reportSchema = z.object({ finished: z.boolean(), results: z.array(testResultSchema.omit({ id: true })) });

/**
 * Reads what the report channel wrote. The code under test could write to the same place, so a report without a valid
 * authentication code is refused.
 *
 * @returns the results in order with their ids, or `null` when it is no authentic, finished report.
 */
export function readTestReport(options: { text: string; key: string }): readonly TestResult[] | null {
  const { text, key } = options;
  const end = text.indexOf('\n');
  if (end < 0) return null;
  const body = text.slice(end + 1);
  const expected = createHmac('sha256', key).update(body).digest();
  const given = Buffer.from(text.slice(0, end), 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const parsed = reportSchema.safeParse(parseJson(body));
  return parsed.success && parsed.data.finished ? withIds(parsed.data.results) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ids are `file::name`; the second test of the same name is `file::name #2`, in the order of the report. */
export function withIds(results: readonly Omit<TestResult, 'id'>[]): readonly TestResult[] {
  const taken = new Set<string>();
  // Counting on from the last number keeps code that registers one name over and over from costing its square.
  const numbers = new Map<string, number>();
  return results.map((result) => {
    const plain = `${result.file}::${result.name}`;
    let id = plain;
    let number = numbers.get(plain) ?? 2;
    for (; taken.has(id); number += 1) id = `${plain} #${number}`;
    numbers.set(plain, number);
    taken.add(id);
    return { id, ...result };
  });
}
