import { z } from 'zod';
import { readJsonLines } from './read-json-lines.js';

/** Test ids as a list, or as the JSON text of one, which is how data sets of one column type hold them. */
const testIdsSchema = z
  .union([z.array(z.string()), z.string()])
  .transform((value, context) => {
    if (typeof value !== 'string') return value;
    try {
      return z.array(z.string()).parse(JSON.parse(value));
    } catch {
      context.addIssue({ code: 'custom', message: 'expected a list of test ids, or the JSON text of one' });
      return z.NEVER;
    }
  })
  .readonly();

/** An instance of SWE-bench, its Verified and its multimodal variant (formats.md section 3.3). Fields that are not named here are kept. */
export const sweBenchInstanceSchema = z.looseObject({
  /** `owner__repo-N`. */
  instance_id: z.string().min(1),
  /** `owner/repo`. */
  repo: z.string().min(1),
  base_commit: z.string().regex(/^[0-9a-f]{7,64}$/),
  /** The gold patch. */
  patch: z.string().min(1),
  /** The change of the tests that grade it. */
  test_patch: z.string().min(1),
  problem_statement: z.string(),
  hints_text: z.string().optional(),
  FAIL_TO_PASS: testIdsSchema,
  PASS_TO_PASS: testIdsSchema,
});
/** See {@link sweBenchInstanceSchema}. */
export type SweBenchInstance = z.infer<typeof sweBenchInstanceSchema>;

/** An instance of SWE-smith (formats.md section 3.4). Fields that are not named here are kept. */
export const sweSmithInstanceSchema = z.looseObject({
  instance_id: z.string().min(1),
  /** `swesmith/owner__repo.commit8`. */
  repo: z.string().min(1),
  /** The bug: applied to the commit it gives what the agent gets, so that its reverse is the gold patch. */
  patch: z.string().min(1),
  FAIL_TO_PASS: testIdsSchema,
  PASS_TO_PASS: testIdsSchema,
  image_name: z.string().min(1).optional(),
  base_commit: z.string().optional(),
  /** Empty in about a third of the public data. */
  problem_statement: z.string().default(''),
});
/** See {@link sweSmithInstanceSchema}. */
export type SweSmithInstance = z.infer<typeof sweSmithInstanceSchema>;

/** Reads SWE-bench instances from JSON lines or a JSON array. @throws TadpoleError `invalid-input` with file and line. */
export async function readSweBenchInstances(file: string): Promise<readonly SweBenchInstance[]> {
  return readJsonLines({ file, schema: sweBenchInstanceSchema, record: 'a SWE-bench instance', idOf: (instance) => instance.instance_id });
}

/** Reads SWE-smith instances from JSON lines or a JSON array. @throws TadpoleError `invalid-input` with file and line. */
export async function readSweSmithInstances(file: string): Promise<readonly SweSmithInstance[]> {
  return readJsonLines({ file, schema: sweSmithInstanceSchema, record: 'a SWE-smith instance', idOf: (instance) => instance.instance_id });
}
