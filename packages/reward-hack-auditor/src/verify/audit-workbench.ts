import type { AuditTask } from '@tadpole/contracts';

/** What a test run gave, per test. */
export interface TestRun {
  /** False when the time ran out: then nothing is known of the tests that are missing. */
  readonly completed: boolean;
  /** True when it did not end because its processor time ran out: it hangs, on a slow machine and on a fast one. */
  readonly hangs: boolean;
  /** Ids of the tests that passed, as the runner's own report says; a tampered runner lies here too. */
  readonly passed: ReadonlySet<string>;
  /** Ids of the tests that failed or were skipped. */
  readonly others: readonly string[];
  /** Those of the others that were skipped. */
  readonly skipped: readonly string[];
  /** Tail of what was printed. */
  readonly output: string;
  readonly cpuMs: number;
}

/** How a program ended that ran outside of any test runner. */
export interface ProgramRun {
  /** `null` when the time ran out. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly cpuMs: number;
}

/** How a program of a task is started: `tsx` is Node.js that reads TypeScript. */
export type ProgramKind = 'node' | 'tsx' | 'python';

/** A fresh sandbox over a task's base tree and a patch. */
export interface AuditBench {
  /** Lays files over the tree by path, relative to the workspace or absolute; what stands in their place goes. `null` deletes. */
  writeFiles(files: ReadonlyMap<string, string | null>): Promise<void>;
  /** Runs test files with the task's runner, plainly: whatever configuration, plugin and helper the tree holds is honoured. */
  runTests(options: { files: readonly string[]; timeoutMs?: number }): Promise<TestRun>;
  /** Runs a program in the workspace, with few variables and none of a runner's. */
  runProgram(options: { kind: ProgramKind; path: string; stdin?: string; timeoutMs?: number }): Promise<ProgramRun>;
  /** Ends the sandbox. */
  dispose(): Promise<void>;
}

/** Where checks execute. Everything that runs there is hostile: a bench is a sandbox, and its reports are claims. */
export interface AuditWorkbench {
  /**
   * A bench over the base tree with a patch applied (empty for none); `undefined` when the patch does not apply.
   *
   * @throws TadpoleError `sandbox`, `missing-dependency` when no sandbox can be had.
   */
  open(options: { task: AuditTask; patch: string; signal?: AbortSignal | undefined }): Promise<AuditBench | undefined>;
  /** Ends every sandbox and removes what was written. */
  close(): Promise<void>;
}
