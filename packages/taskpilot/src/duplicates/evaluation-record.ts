import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { parsePatch } from './parse-patch.js';
import type { PatchFunction } from './patch-functions.js';

/** One task of an evaluation set, as far as contamination is looked for. */
export interface EvaluationRecord {
  readonly id: string;
  /** `owner/name`, or a package. */
  readonly repository?: string;
  readonly patch: string;
  readonly testPatch?: string;
  readonly statement?: string;
  /** Functions that its patch changes. @default those that the patch shows */
  readonly functions?: readonly PatchFunction[];
}

const rowSchema = z.looseObject({
  instance_id: z.string().min(1).max(500),
  repo: z.string().min(1).nullish(),
  /** Scale-SWE gives the owner apart. */
  user: z.string().min(1).nullish(),
  patch: z.string(),
  test_patch: z.string().nullish(),
  problem_statement: z.string().nullish(),
});

/**
 * Reads an evaluation set in the form of SWE-bench, SWE-rebench, SWE-smith or Scale-SWE: a JSON object a line with
 * `instance_id`, `patch` and, where known, `repo`, `test_patch`, `problem_statement`; other keys are left alone and
 * blank lines skipped. Without `repo`, the owner and name are read from an `owner__name-number` id.
 *
 * @throws TadpoleError `invalid-input` with the 1-based line of the first row that is not such an object or whose
 * patches are no diffs, and for a text without rows.
 */
export function readEvaluationSet(options: {
  /** JSON lines. */
  text: string;
  /** What messages call the set, for instance its file. */
  name: string;
}): EvaluationRecord[] {
  const { name } = options;
  const lines = options.text.replace(/^\uFEFF/, '').split('\n');
  const records = lines.flatMap((line, index) => (line.trim() === '' ? [] : [readRow({ line, where: `${name}, line ${index + 1}` })]));
  if (records.length > 0) return records;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected JSON lines in ${name}, got no row. Give an evaluation set with a task a line.`,
  });
}

function readRow({ line, where }: { line: string; where: string }): EvaluationRecord {
  try {
    const row = rowSchema.parse(JSON.parse(line));
    for (const patch of [row.patch, row.test_patch ?? '']) parsePatch(patch);
    const repository = repositoryOf(row);
    return {
      id: row.instance_id,
      ...(repository === undefined ? {} : { repository }),
      patch: row.patch,
      ...(row.test_patch ? { testPatch: row.test_patch } : {}),
      ...(row.problem_statement ? { statement: row.problem_statement } : {}),
    };
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message;
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a row with instance_id and patch in ${where}, got: ${reason} Correct or remove the row.`,
      cause,
    });
  }
}

function repositoryOf({ instance_id, repo, user }: z.infer<typeof rowSchema>): string | undefined {
  if (repo) return repo.includes('/') || !user ? repo : `${user}/${repo}`;
  const parts = /^([^_].*?)__(.+)-\d+$/.exec(instance_id);
  return parts === null ? undefined : `${parts[1]}/${parts[2]}`;
}
