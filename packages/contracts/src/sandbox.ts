import { z } from 'zod';

/** Upper bounds of one sandbox; every one is required, so that nothing is unlimited by omission. */
export const sandboxLimitsSchema = z.strictObject({
  /** Processes and threads alive at one time. */
  processes: z.int().positive(),
  /** Memory in bytes of all processes together; `describe()` says where only each process is bounded. */
  memoryBytes: z.int().positive(),
  /** CPU seconds of one process. */
  cpuSeconds: z.int().positive(),
  /** Wall time of one command when it gives none itself; at most what Node's timers can wait. */
  timeoutMs: z.int().positive().max(2_147_483_647),
  /** Bytes of one written file, and of one file that is read. */
  fileBytes: z.int().positive(),
  /** Bytes of everything that is written: to the workspace, to the temporary folders and to shared memory together. */
  writtenBytes: z.int().positive(),
  /** Files and folders (inodes) that are made, in the same places together. */
  writtenFiles: z.int().positive(),
  /** Bytes kept of each of a command's output streams; the rest is counted and dropped. */
  outputBytes: z.int().positive(),
});
/** See {@link sandboxLimitsSchema}. */
export type SandboxLimits = z.infer<typeof sandboxLimitsSchema>;

/** Network of a sandbox. `none` is the default everywhere. */
export const networkSchema = z.enum(['none', 'host']);
/** See {@link networkSchema}. */
export type Network = z.infer<typeof networkSchema>;

/** A command to run; `command` is given to `bash -c` in a fresh process with no state from earlier calls. */
export interface RunOptions {
  readonly command: string;
  /** Bytes for standard input. @default nothing: standard input is at its end */
  readonly stdin?: string | Uint8Array;
  /** Folder, relative to the workspace. @default the workspace */
  readonly cwd?: string;
  /** Added to the sandbox's small allow-listed environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default the sandbox's limit */
  readonly timeoutMs?: number;
  /** Kills the command; the call then throws `aborted`. */
  readonly signal?: AbortSignal;
}

/** How a command ended. Output is text decoded as UTF-8 with replacement, head and tail kept at the limit. */
export interface RunResult {
  /** Exit code; `128 + signal` for a signal; `null` when the time ran out. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that did not fit into `stdout` and `stderr`. */
  readonly droppedBytes: number;
  readonly durationMs: number;
}

/**
 * The view of a sandbox that tools get. Paths are relative to the workspace or absolute inside the
 * sandbox; all file access happens inside it, so a symbolic link leads nowhere else.
 */
export interface Sandbox {
  /** Runs a command and resolves when its main process has ended and no process of it survives.
   * @throws TadpoleError `sandbox` when the boundary itself failed; `aborted` by the signal. */
  run(options: RunOptions): Promise<RunResult>;
  /** The bytes of a regular file, or `null` when there is none at that path.
   * @throws TadpoleError `invalid-input` for a folder, device or a file over the limit. */
  readFile(path: string, options?: { signal?: AbortSignal }): Promise<Uint8Array | null>;
  /** Writes a file, making its folders; keeps the mode of an existing file. */
  writeFile(path: string, content: string | Uint8Array, options?: { signal?: AbortSignal }): Promise<void>;
  /** Sorted workspace-relative paths of the files that match a glob pattern (`**`, `*`, `?`, `{a,b}`). */
  glob(pattern: string, options?: { path?: string; signal?: AbortSignal }): Promise<readonly string[]>;
}

/** What only the rollout and the grader hold: a sandbox with its identity, its changes and its end. */
export interface OwnedSandbox extends Sandbox {
  readonly id: string;
  /** The change since opening as a git patch (text and binary), empty when there is none. */
  diff(options?: { signal?: AbortSignal }): Promise<string>;
  /** Kills what runs and removes what was written. Idempotent; resolves once the end is verified. */
  dispose(): Promise<void>;
}

/** What a sandbox starts from. */
export interface SandboxEnvironment {
  /** Image of a container engine that gives the system around the workspace. @default the provider's own */
  readonly image?: string;
  /** Folder on this machine whose content is the workspace's base; never written. */
  readonly workspace: string;
  /**
   * Identity of the workspace's content where it never changes, such as a task's id: a provider then looks at the folder
   * once for all sandboxes. @default none: every opening takes the folder as it is
   */
  readonly workspaceKey?: string;
  /** Where the workspace appears inside. @default '/workspace' */
  readonly workspacePath?: string;
  /** Further folders or files to see read-only inside the sandbox. */
  readonly readOnlyMounts?: readonly { readonly source: string; readonly target: string }[];
  /** Folders of this machine that the sandbox may write, such as where a test reporter leaves its results. */
  readonly writableMounts?: readonly { readonly source: string; readonly target: string }[];
  /** Variables that every command sees, beside the provider's own small set. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * What a sandbox may contain (closed). The conformance suite attacks each one that a provider claims:
 *
 * `network` no address is reachable, this machine included · `host-files` no file that was not mounted is readable or
 * writable · `system-files` nothing outside workspace, temporary folders and writable mounts can be written ·
 * `environment` no variable of this process is visible · `base` the workspace's base and its history stay untouched and
 * unseen · `privileges` no capability, no way to gain one · `namespaces` no further user namespace · `system-calls` a
 * filter on system calls · `devices` no device node, clock, kernel setting or control group can be changed ·
 * `processes` their number · `memory` of all processes together · `process-memory` of each process · `cpu-time` ·
 * `wall-time` · `file-size` · `written-bytes` · `written-files` · `output` · `survivors` no process outlives its call ·
 * `runner` commands can neither signal nor trace nor read the process that serves files · `signals` no process outside
 * can be signalled or traced
 */
export const containmentIdSchema = z.enum([
  'network',
  'host-files',
  'system-files',
  'environment',
  'base',
  'privileges',
  'namespaces',
  'system-calls',
  'devices',
  'processes',
  'memory',
  'process-memory',
  'cpu-time',
  'wall-time',
  'file-size',
  'written-bytes',
  'written-files',
  'output',
  'survivors',
  'runner',
  'signals',
]);
/** See {@link containmentIdSchema}. */
export type ContainmentId = z.infer<typeof containmentIdSchema>;

/** What a provider enforces here and now, and what it does not. Together the two lists name every {@link ContainmentId} once. */
export const containmentSchema = z.strictObject({
  provider: z.string(),
  enforced: z.array(z.strictObject({ id: containmentIdSchema, how: z.string() })).readonly(),
  notEnforced: z.array(z.strictObject({ id: containmentIdSchema, why: z.string() })).readonly(),
  /** Further things to know about this machine, for people. */
  notes: z.array(z.string()).readonly(),
});
/** See {@link containmentSchema}. */
export type Containment = z.infer<typeof containmentSchema>;

/** Opens sandboxes. */
export interface SandboxProvider {
  /** @throws TadpoleError `missing-dependency`, `sandbox` or `aborted`. */
  open(options: {
    environment: SandboxEnvironment;
    limits: SandboxLimits;
    /** @default 'none' */
    network?: Network;
    signal?: AbortSignal;
  }): Promise<OwnedSandbox>;
  /** Probes this machine and says what is contained and what is not. */
  describe(): Promise<Containment>;
}
