import type { AnyTool, AuditRule, Generator, Loss, Renderer, RewardFunction, SandboxProvider, TrainingClient } from '@tadpole/contracts';
import type { Redactor } from '@tadpole/leaf-harness';
import type { GatePolicy } from '@tadpole/reward-hack-auditor';
import type { VerifyRollout } from '../audit/create-execution-verifier.js';
import type { RunStore } from '../run/run-store.js';

/**
 * What a climb is made of. Another engine or another sandbox is another `client` or `provider`; the loop
 * stays the same.
 */
export interface ClimbOptions {
  /** The run's folder, configuration and journal; a resumed store continues where its journal ends. */
  readonly store: RunStore;
  /** Trains and samples. Starts from the weights it has now. */
  readonly client: TrainingClient;
  readonly renderer: Renderer;
  readonly provider: SandboxProvider;
  /** Where the repositories and their test dependencies are installed. */
  readonly nodeModules: string;
  /** @default Leaf's five tools */
  readonly tools?: readonly AnyTool[];
  /** Where tasks come from, each a strategy of the synthesis; held-out tasks take turns. @default the configured procedural mutations, one for each family */
  readonly generators?: readonly Generator[];
  /** Multiplied into nothing: the score of a solved, gated rollout is what this returns. @default tests pass, with FrogNano's length term from the configured iteration on */
  readonly reward?: RewardFunction;
  /** @default the auditor's rules */
  readonly rules?: readonly AuditRule[];
  /**
   * Verifies a rollout in which rules found something of at least `medium` severity that nothing exonerates.
   * @default the findings alone go to the gate; `createExecutionVerifier` verifies by execution
   */
  readonly verify?: VerifyRollout;
  /** @default zero for what verification calls a hack; without it for high and critical findings */
  readonly gate?: GatePolicy;
  /** @default DPPO Binary-TV with the configured thresholds */
  readonly loss?: Loss;
  /** Takes secrets out of everything that a rollout leaves on the disk. @default createRedactor(): keys of known forms */
  readonly redactor?: Redactor;
  /** The clock that times and dates every event. */
  readonly now: () => Date;
  readonly signal?: AbortSignal;
}
