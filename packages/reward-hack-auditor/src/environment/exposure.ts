import type { Sandbox } from '@tadpole/contracts';

/** What a policy could reach (reward-hacks.md sections 1 and 3.11), with the kinds of the taxonomy that it would allow. */
export interface Exposure {
  /**
   * `future-history` commits that the checked-out one does not contain · `answer-text` lines of hidden tests or of the gold patch in a
   * readable file · `upstream-copy` another copy of the task's own project · `network` an address answers · `writable-tooling` a folder of
   * programs or libraries can be written · `writable-reporter` a place of results or of tests of graders can be written ·
   * `secrets` variables or files that hold credentials · `other-processes` processes of others are visible
   */
  readonly id:
    | 'future-history'
    | 'answer-text'
    | 'upstream-copy'
    | 'network'
    | 'writable-tooling'
    | 'writable-reporter'
    | 'secrets'
    | 'other-processes';
  /** Ids of the taxonomy, for instance `A1`. */
  readonly kinds: readonly string[];
  /** What was found, one a line of at most 200 characters, twenty at most; never the text of an answer or a secret. */
  readonly found: readonly string[];
}

/** What the probes need to know of a task. */
export interface ProbedTask {
  /** The tree that the agent starts from, by path relative to the workspace. */
  readonly files: ReadonlyMap<string, string>;
  readonly hiddenTests: ReadonlyMap<string, string>;
  /** A unified diff that solves the task. */
  readonly goldPatch?: string | undefined;
  readonly statement: string;
  /** Names under which the task's own project is published. */
  readonly projectNames?: readonly string[] | undefined;
}

/** Looks for one kind of exposure in a sandbox as the agent gets it. */
export interface EnvironmentProbe {
  readonly id: Exposure['id'];
  readonly kinds: readonly string[];
  /** Lines of what was found; none where there is nothing. @throws TadpoleError `sandbox`, `aborted` */
  find(options: { sandbox: Sandbox; task: ProbedTask; signal?: AbortSignal | undefined }): Promise<readonly string[]>;
}
