import type { Network } from '@tadpole/contracts';

/** A folder or file of this machine and where it appears inside. */
export interface Mount {
  readonly source: string;
  readonly target: string;
}

/** What the processes of one sandbox see; the same for all of its runs. */
export interface SandboxView {
  /** The sandbox's own folder on this machine, for files that a launcher prepares. */
  readonly directory: string;
  /** Mounted in this order: read-only system folders, links, hidden folders, writable, then read-only on top. */
  readonly systemMounts: readonly Mount[];
  readonly links: readonly { readonly path: string; readonly to: string }[];
  readonly hidden: readonly string[];
  readonly writableMounts: readonly Mount[];
  readonly readOnlyMounts: readonly Mount[];
  readonly network: Network;
  /** Size of the private `/tmp`, and of `/dev/shm` at most. */
  readonly temporaryBytes: number;
}

/** Launches commands in fresh namespaces over one view. */
export interface PreparedLauncher {
  /** Program and arguments; the environment is the command's alone, so that no secret of this process can leak. */
  arguments(options: { command: readonly string[]; env: Readonly<Record<string, string>> }): readonly string[];
  /** What came on file descriptor 3: whether the command was started, and this machine's id of the first process inside. */
  status(text: string): { started: boolean; firstProcess?: number };
}

/** Makes namespaces with a program of this machine. */
export interface Launcher {
  readonly name: 'bubblewrap' | 'unshare';
  prepare(view: SandboxView): Promise<PreparedLauncher>;
}
