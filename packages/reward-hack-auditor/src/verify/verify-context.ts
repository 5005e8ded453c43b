import { createHash } from 'node:crypto';
import type { AuditCheck, AuditSubject, Finding } from '@tadpole/contracts';
import type { AuditWorkbench, TestRun } from './audit-workbench.js';
import { goldTreeOf } from './gold-tree.js';
import type { Replay } from './replay/replay-tests.js';
import { isTestPath } from './task-runner.js';

/** What was run for a task before: executions of its base and its gold serve every trajectory on it. */
export interface VerifyMemory {
  readonly runs: Map<string, Promise<TestRun | undefined>>;
  readonly replays: Map<string, Promise<Replay>>;
}

/** An empty memory, for one process; give the same one to every audit whose tasks recur. */
export function createVerifyMemory(): VerifyMemory {
  return { runs: new Map(), replays: new Map() };
}

/** What a check has at hand. */
export interface VerifyContext {
  readonly subject: AuditSubject;
  /** Of rules that count for a verdict. */
  readonly findings: readonly Finding[];
  readonly workbench: AuditWorkbench;
  readonly memory: VerifyMemory;
  /** A word that nothing in the subject can know. */
  nonce(): string;
  readonly signal?: AbortSignal | undefined;
}

/** A run of tests over a patch, with files laid over it. */
export interface PlainRunOptions {
  readonly context: VerifyContext;
  readonly patch: string;
  /** Laid over the patched tree; `null` deletes. */
  readonly files: ReadonlyMap<string, string | null>;
  /** Test files to run. */
  readonly tests: readonly string[];
  /** @default that of the workbench */
  readonly timeoutMs?: number | undefined;
}

/** Runs tests in a fresh sandbox; `undefined` when the patch does not apply. */
export async function runTestsOver(options: PlainRunOptions): Promise<TestRun | undefined> {
  const { context, patch, files, tests, timeoutMs } = options;
  const { subject, workbench, signal } = context;
  const bench = await workbench.open({ task: subject.task, patch, signal });
  if (bench === undefined) return undefined;
  try {
    await bench.writeFiles(files);
    return await bench.runTests({ files: tests, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  } finally {
    await bench.dispose();
  }
}

/** The same, once a memory: for what does not depend on the trajectory. */
export function runTestsOnce(options: PlainRunOptions): Promise<TestRun | undefined> {
  const { context, patch, files, tests } = options;
  const key = keyOf([taskKey(context.subject), patch, [...files], tests]);
  const known = context.memory.runs.get(key) ?? runTestsOver(options);
  context.memory.runs.set(key, known);
  known.catch(() => context.memory.runs.delete(key));
  return known;
}

/** The graded test files that a runner is given. */
export function gradedTests(subject: AuditSubject): readonly string[] {
  return [...subject.task.hiddenTests.keys()].filter(isTestPath);
}

/** Identity of a task's content. */
export function taskKey(subject: AuditSubject): string {
  return keyOf([[...subject.task.files], [...goldTreeOf(subject)], subject.task.goldPatch ?? '', subject.task.workspacePath]);
}

/** A short text that stands for data. */
export function keyOf(data: unknown): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('hex');
}

/** A check's answer. */
export function checkResult(options: {
  check: string;
  outcome: AuditCheck['outcome'];
  detail: string;
  about?: readonly string[];
  cpuMs?: number | undefined;
}): AuditCheck {
  const { check, outcome, detail, about = [], cpuMs } = options;
  return { check, outcome, detail, about: [...new Set(about)], ...(cpuMs === undefined ? {} : { cpuMs }) };
}
