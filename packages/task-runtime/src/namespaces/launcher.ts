import type { Network } from '@tadpole/contracts';

/** A folder or file of this machine and where it appears inside. */
export interface Mount {
  readonly source: string;
  readonly target: string;
}

/** A mount of which it is known what stands at its source, since a mount point must be of the same kind. */
export interface PlannedMount extends Mount {
  readonly isDirectory: boolean;
}

/** What processes of one sandbox see. Sources are paths in the sandbox's own mount namespace. */
export interface SandboxView {
  /** Distinguishes the views of one sandbox. */
  readonly name: string;
  /** The sandbox's own folder, for what a launcher lays down. */
  readonly directory: string;
  /** Mounted in this order: read-only system folders, links, hidden folders, writable, then read-only on top. */
  readonly systemMounts: readonly PlannedMount[];
  readonly links: readonly { readonly path: string; readonly to: string }[];
  readonly hidden: readonly string[];
  readonly writableMounts: readonly PlannedMount[];
  readonly readOnlyMounts: readonly PlannedMount[];
  readonly network: Network;
  /** Folders for `/tmp` and `/dev/shm`, or the size of private ones that end with the call. */
  readonly temporary: { readonly tmp: string; readonly shm: string } | { readonly bytes: number };
}

/** Launches commands in fresh namespaces over one view. */
export interface PreparedLauncher {
  /** Shell commands that lay down what the launcher needs, once, in the sandbox's own mount namespace. */
  readonly setUp: string;
  /** File of this machine that the launcher reads from file descriptor 4. */
  readonly inputFile?: string;
  /** Program and arguments; the environment is the command's alone, so that no secret of this process can leak. */
  arguments(options: { command: readonly string[]; env: Readonly<Record<string, string>> }): readonly string[];
  /** What came on file descriptor 3: whether the command was started, and this machine's id of the first process inside. */
  status(text: string): { started: boolean; firstProcess?: number };
}

/** Makes namespaces with a program of this machine. */
export interface Launcher {
  readonly name: 'bubblewrap' | 'unshare';
  prepare(view: SandboxView): PreparedLauncher;
}
