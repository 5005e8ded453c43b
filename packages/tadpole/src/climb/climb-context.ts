import type {
  AnyTool,
  AuditRule,
  Generator,
  Grader,
  Loss,
  OwnedSandbox,
  Policy,
  Sampler,
  TadpoleEvent,
  Task,
  TestExecutor,
} from '@tadpole/contracts';
import { createTokenPolicy, leafTools } from '@tadpole/leaf-harness';
import { defaultRules, type GatePolicy, zeroHighSeverity } from '@tadpole/reward-hack-auditor';
import {
  createDependencyStore,
  createGrader,
  createOutcomeCache,
  createTaskOpener,
  createTestExecutor,
  type DependencyStore,
} from '@tadpole/task-runtime';
import type { RefinementMove } from '@tadpole/taskpilot';
import { type Configuration, configurationHash } from '../run/configuration.js';
import { configuredLoss } from '../run/loss-configuration.js';
import { recordExecutions } from '../run/recorded-executor.js';
import type { RunStore } from '../run/run-store.js';
import type { TimelessEvent } from '../run/timeless-event.js';
import type { ClimbOptions } from './climb-options.js';
import { configuredGenerators, configuredHeldOutGenerator } from './configured-generators.js';
import { configuredMoves } from './configured-moves.js';
import { generatorsInTurn } from './generators-in-turn.js';
import { createOnceRecorder } from './once-recorder.js';

const canaryText = 'Fix lib/index.js lines 3-10. Line 7 is wrong: expected 2, got 1.';

/** The parts of a climb, put together once. */
export interface ClimbContext {
  readonly options: ClimbOptions;
  readonly store: RunStore;
  readonly configuration: Configuration;
  readonly configurationHash: string;
  /** The fixed prompt whose log-probabilities sampler and trainer must agree on after every update. */
  readonly canary: { readonly prompt: readonly number[]; readonly seed: number };
  readonly tools: readonly AnyTool[];
  /** Of training tasks, each a strategy. */
  readonly generators: readonly Generator[];
  readonly heldOutGenerator: Generator;
  readonly moves: readonly RefinementMove[];
  readonly rules: readonly AuditRule[];
  readonly gatePolicy: GatePolicy;
  readonly loss: Loss;
  readonly grader: Grader;
  readonly executor: TestExecutor;
  /** The executor whose results are kept, for candidates. */
  readonly recordedExecutor: TestExecutor;
  readonly dependencyStore: DependencyStore;
  openSandbox(task: Task, signal: AbortSignal): Promise<OwnedSandbox>;
  policyOf(sampler: Sampler): Policy;
  /** Journals an event and returns it, to be yielded. */
  record(event: TimelessEvent): TadpoleEvent;
  /** The same for what a resumed run says again: returns the event that the journal held already. */
  recordOnce(event: TimelessEvent): TadpoleEvent;
}

/** Puts a climb's parts together from its options. */
export function createClimbContext(options: ClimbOptions): ClimbContext {
  const { store, provider, renderer, now } = options;
  const { configuration } = store;
  const limits = configuration.agent.limits;
  const dependencyStore = createDependencyStore({ nodeModules: options.nodeModules, into: store.folder('dependencies') });
  const executor = createTestExecutor({ provider, dependencyStore, limits });
  const { training } = configuration;
  const { generators } = options;
  const journaled = [...store.journal.events];
  const record = (body: TimelessEvent): TadpoleEvent => {
    const event = { ...body, at: now().toISOString() } as TadpoleEvent;
    store.journal.append(event);
    return event;
  };
  return {
    options,
    store,
    configuration,
    configurationHash: configurationHash(configuration),
    canary: { prompt: renderer.render([{ role: 'user', content: canaryText }], []), seed: configuration.seed },
    tools: options.tools ?? leafTools(),
    generators: generators ?? configuredGenerators(configuration),
    heldOutGenerator: generators === undefined ? configuredHeldOutGenerator(configuration) : generatorsInTurn(generators),
    moves: configuredMoves(configuration),
    rules: options.rules ?? defaultRules(),
    gatePolicy: options.gate ?? zeroHighSeverity,
    loss: options.loss ?? configuredLoss(training),
    grader: createGrader({ provider, dependencyStore, cache: createOutcomeCache({ directory: store.folder('outcomes') }) }),
    executor,
    recordedExecutor: recordExecutions({ executor, folder: store.folder('executions') }),
    dependencyStore,
    openSandbox: createTaskOpener({ provider, dependencyStore, limits }),
    policyOf: (sampler) => createTokenPolicy({ name: sampler.weightsVersion, renderer, sampler }),
    record,
    recordOnce: createOnceRecorder({ journaled, record }),
  };
}
