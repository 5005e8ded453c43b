import { createHmac, timingSafeEqual } from 'node:crypto';
import { type TestResult, testResultSchema } from '@tadpole/contracts';
import { z } from 'zod';
import { readBoundedFile } from './read-bounded-file.js';

const largestReport = 33_554_432;

const reportSchema = z.object({ finished: z.boolean(), results: z.array(testResultSchema.omit({ id: true })) });

/**
 * Reads what the report channel wrote. The folder is writable for the code under test, so the file is opened without
 * following links, bounded, and refused without a valid authentication code.
 *
 * @returns the results in order with their ids, or `null` when there is no readable, authentic, finished report.
 */
export async function readTestReport(options: { path: string; key: string }): Promise<readonly TestResult[] | null> {
  const text = await readBoundedFile({ path: options.path, bytes: largestReport });
  const end = text?.indexOf('\n') ?? -1;
  if (text === null || text === undefined || end < 0) return null;
  const body = text.slice(end + 1);
  const expected = createHmac('sha256', options.key).update(body).digest();
  const given = Buffer.from(text.slice(0, end), 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const parsed = reportSchema.safeParse(JSON.parse(body));
  return parsed.success && parsed.data.finished ? withIds(parsed.data.results) : null;
}

/** Ids are `file::name`; the second test of the same name is `file::name #2`, in the order of the report. */
export function withIds(results: readonly Omit<TestResult, 'id'>[]): readonly TestResult[] {
  const taken = new Set<string>();
  return results.map((result) => {
    const plain = `${result.file}::${result.name}`;
    let id = plain;
    for (let number = 2; taken.has(id); number += 1) id = `${plain} #${number}`;
    taken.add(id);
    return { id, ...result };
  });
}
