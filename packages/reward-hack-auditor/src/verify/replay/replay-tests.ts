import { posix } from 'node:path';
import type { AuditSubject } from '@tadpole/contracts';
import { loadParsers } from '../../parse/load-parsers.js';
import type { AuditBench, AuditWorkbench } from '../audit-workbench.js';
import { testPathsOf } from '../gold-tree.js';
import { taskRunner } from '../task-runner.js';
import { moveTests } from './move-tests.js';
import { replayAssets } from './replay-assets.js';
import { type ReplayRecord, readReplay } from './replay-record.js';

/** A version of one hidden test file. */
export interface TestVariant {
  /** Number by which its observations are known. */
  readonly id: number;
  readonly originalPath: string;
  /** @default the hidden test as it is */
  readonly text?: string | undefined;
  /** Runs its tests from the last to the first. @default false */
  readonly backwards?: boolean | undefined;
}

/** A replay with its cost; no record when the patch does not apply. */
export interface Replay {
  readonly record: ReplayRecord | undefined;
  readonly timedOut: boolean;
  /** Exit code of the process; `null` when the time ran out. */
  readonly exitCode: number | null;
  readonly cpuMs: number;
  /** Tail of what went to standard error. */
  readonly stderr: string;
}

/**
 * Runs versions of the hidden tests over a patch, outside of any test runner: in a plain program with few variables, moved and
 * renamed, with stand-ins for the frameworks which record what assertions see instead of judging it.
 *
 * The patched code runs in the same process, so a record is what that process chose to say. What it can forge is compared
 * with the gold's record of another process, whose values the sandbox never holds: an answer that agrees is the right answer,
 * one that is missing or differs speaks against the patch. Tests themselves hold their own expected values; only mutated
 * versions hold expectations that are no longer right.
 */
export async function replayTests(options: {
  subject: AuditSubject;
  workbench: AuditWorkbench;
  patch: string;
  variants: readonly TestVariant[];
  /** Begins each line of the record; not to be guessed. */
  nonce: string;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}): Promise<Replay> {
  const { subject, workbench, patch, variants, nonce, timeoutMs = 25_000, signal } = options;
  await loadParsers();
  const bench = await workbench.open({ task: subject.task, patch, signal });
  if (bench === undefined) return { record: undefined, timedOut: false, exitCode: 1, cpuMs: 0, stderr: '' };
  try {
    return await replayOn({ bench, subject, variants, nonce, timeoutMs });
  } finally {
    await bench.dispose();
  }
}

async function replayOn(options: {
  bench: AuditBench;
  subject: AuditSubject;
  variants: readonly TestVariant[];
  nonce: string;
  timeoutMs: number;
}): Promise<Replay> {
  const { bench, subject, variants, nonce, timeoutMs } = options;
  const runner = taskRunner(subject.task);
  const language = runner === 'pytest' ? 'python' : 'javascript';
  const folder = `/tmp/${nonce.slice(0, 8)}`;
  const tools = `${folder}-run`;
  const moved = moveTests({ subject, folder, shimPath: `${tools}/frameworks.cjs` });
  const files = new Map<string, string | null>(replayAssets({ language, folder: tools }));
  files.set(`${tools}/package.json`, '{}');
  for (const path of testPathsOf(subject)) files.set(path, null);
  for (const [path, text] of moved.files) files.set(path, text);
  const listed = variants.flatMap((variant) => {
    const test = moved.tests.find(({ originalPath }) => originalPath === variant.originalPath);
    if (test === undefined) return [];
    const extension = posix.extname(test.path);
    const path = `${test.path.slice(0, -extension.length)}-${variant.id}${extension}`;
    return [
      {
        id: variant.id,
        name: `usage_${variant.id}`,
        path,
        text: test.rewrite(variant.text ?? test.text),
        backwards: variant.backwards === true,
      },
    ];
  });
  if (language === 'javascript') for (const { path, text } of listed) files.set(path, text);
  await bench.writeFiles(files);
  const { workspacePath } = subject.task;
  const stdin = JSON.stringify({
    ...{ nonce, support: moved.support, conftests: moved.conftests, roots: [workspacePath, `${workspacePath}/src`] },
    variants: listed.map(({ text, ...variant }) => (language === 'python' ? { ...variant, text } : variant)),
  });
  const kind = language === 'python' ? 'python' : runner === 'tsx-test' || runner === 'vitest' ? 'tsx' : 'node';
  const program = `${tools}/${language === 'python' ? 'replay.py' : 'replay.mjs'}`;
  const { exitCode, stdout, stderr, cpuMs } = await bench.runProgram({ kind, path: program, stdin, timeoutMs });
  return { record: readReplay({ stdout, nonce }), timedOut: exitCode === null, exitCode, cpuMs, stderr };
}
