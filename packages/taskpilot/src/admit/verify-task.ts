import { readdir } from 'node:fs/promises';
import { type Certificate, type Grader, type Outcome, TadpoleError, type Task } from '@tadpole/contracts';
import { z } from 'zod';
import { lintStatement } from '../statement/lint-statement.js';
import { hashHiddenFiles } from '../validate/hidden-files.js';
import { addedLines } from '../validate/task-draft.js';
import { searchTree } from '../validate/tree-leaks.js';

/** One claim of a certificate, looked at again. */
export interface TaskCheck {
  /** Of the gate that it repeats. */
  readonly gate: string;
  /** What was done, for people. */
  readonly what: string;
  readonly holds: boolean;
  /** What came out, where it does not hold. @default '' */
  readonly detail?: string;
}

const controlsSchema = z.array(z.object({ patch: z.string(), outcome: z.string().optional() })).catch([]);

/**
 * Does again what a task's certificate claims: the hidden files are those that were certified; an empty patch is graded 0 and
 * the gold patch 1, twice each; recorded wrong fixes are graded 0 and right ones in another form 1; the statement is the
 * certified one; statement and tree give nothing away. Every grading is in a fresh sandbox.
 *
 * Not repeated: the solve rate, which needs its policy.
 *
 * @throws TadpoleError `invalid-input` for a certificate of another task, `storage` where a file cannot be read, `sandbox`
 *   when a grading could not be done, `aborted` by the signal.
 */
export async function* verifyTask(options: {
  task: Task;
  certificate: Certificate;
  goldPatch: string;
  /** The agent's tree. */
  workspace: string;
  /** Folder that holds the hidden files at their places in the workspace. */
  hiddenFiles: string;
  grader: Grader;
  signal?: AbortSignal;
}): AsyncGenerator<TaskCheck, void> {
  const { task, certificate, goldPatch, workspace } = options;
  if (certificate.taskId !== task.data.id) {
    const message = `Expected the certificate of ${task.data.id}, got one of ${certificate.taskId}.`;
    throw new TadpoleError({ code: 'invalid-input', message });
  }
  const hiddenPaths = await readdir(options.hiddenFiles).catch((cause: Error) => {
    throw new TadpoleError({
      code: 'storage',
      message: `Expected the hidden files at ${options.hiddenFiles}, got: ${cause.message}`,
      cause,
    });
  });
  const { hash } = await hashHiddenFiles({ directory: options.hiddenFiles, hiddenPaths });
  const isSame = hash === certificate.hiddenTestsHash;
  yield {
    gate: 'hidden-files',
    what: 'the hidden files are those that were certified',
    holds: isSame,
    ...(isSame ? {} : { detail: `${hash}, expected ${certificate.hiddenTestsHash}` }),
  };

  const times = [1, 2] as const;
  for (const time of times)
    yield check({ gate: 'fails-before', what: `run ${time}: an empty patch fails`, solves: false, outcome: await grade('') });
  for (const time of times)
    yield check({ gate: 'passes-after', what: `run ${time}: the gold patch passes`, solves: true, outcome: await grade(goldPatch) });
  for (const [index, { patch }] of controls('wrong-fixes-fail', 'wrongFixes').entries())
    yield check({ gate: 'wrong-fixes-fail', what: `wrong fix ${index + 1} fails`, solves: false, outcome: await grade(patch) });
  for (const [index, { patch }] of controls('other-fixes-pass', 'otherFixes').entries())
    yield check({
      gate: 'other-fixes-pass',
      what: `right fix ${index + 1} in another form passes`,
      solves: true,
      outcome: await grade(patch),
    });

  const { lineage, verifier, instruction } = task.data;
  const lint = lintStatement({
    statement: instruction,
    goldLines: addedLines(goldPatch),
    operator: lineage.kind === 'generated' ? lineage.operator : null,
    hiddenPaths: verifier.kind === 'tests' ? verifier.protectedPaths : [],
  });
  const certified = statementOf(certificate);
  if (certified !== undefined)
    yield {
      gate: 'statement-gives-nothing-away',
      what: 'the statement is the one that was certified',
      holds: certified === instruction,
      ...(certified === instruction ? {} : { detail: `${JSON.stringify(instruction)}, expected ${JSON.stringify(certified)}` }),
    };
  yield {
    gate: 'statement-gives-nothing-away',
    what: 'the statement holds nothing of the fix',
    holds: lint.ok,
    ...(lint.ok ? {} : { detail: lint.leaks.join(', ') }),
  };
  const changed = goldPatch.split('\n').flatMap((line) => (line.startsWith('+++ b/') || line.startsWith('--- a/') ? [line.slice(6)] : []));
  const found = await searchTree({ directory: workspace, hiddenPaths: [], goldPatch, changed });
  yield {
    gate: 'tree-holds-no-answer',
    what: 'no other file holds the fix',
    holds: found.leak === null,
    ...(found.leak === null ? {} : { detail: found.leak.file }),
  };

  async function grade(patch: string): Promise<Outcome> {
    return options.grader.grade({ task, patch, ...(options.signal === undefined ? {} : { signal: options.signal }) });
  }

  /** Only those that were told apart then: a wrong fix that no test notices may be none. */
  function controls(gate: string, key: string) {
    const { evidence } = certificate.gates.find(({ name }) => name === gate) ?? { evidence: {} };
    return controlsSchema.parse((evidence as Record<string, unknown>)[key] ?? []).filter(({ outcome }) => outcome !== 'passed');
  }
}

function statementOf({ gates }: Certificate): string | undefined {
  const { evidence } = gates.find(({ name }) => name === 'statement-gives-nothing-away') ?? { evidence: {} };
  const { statement } = evidence as { statement?: unknown };
  return typeof statement === 'string' ? statement : undefined;
}

function check(options: { gate: string; what: string; solves: boolean; outcome: Outcome }): TaskCheck {
  const { gate, what, solves, outcome } = options;
  if (outcome.status === 'unscored')
    throw new TadpoleError({ code: 'sandbox', message: `Expected a score where ${what}, got none: ${outcome.detail}` });
  const holds = outcome.reward >= 1 === solves;
  if (holds) return { gate, what, holds };
  const failed = outcome.tests.filter(({ status }) => status !== 'passed');
  return {
    gate,
    what,
    holds,
    detail:
      failed.length === 0
        ? 'every named test passed'
        : `not passed: ${failed
            .slice(0, 3)
            .map(({ id }) => id)
            .join(', ')}`,
  };
}
