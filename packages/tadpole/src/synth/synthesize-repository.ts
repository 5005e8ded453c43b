import { join } from 'node:path';
import { type Generator, type Grader, type SandboxProvider, type Snapshot, TadpoleError, type Task } from '@tadpole/contracts';
import type { Redactor } from '@tadpole/leaf-harness';
import { createGrader, createOutcomeCache, createTaskOpener } from '@tadpole/task-runtime';
import {
  behaviourPreservingRewrites,
  type ModelEndpoint,
  mutationGenerators,
  type Synthesis,
  type SynthesisEvent,
  type SynthesisOptions,
  siblingMutants,
  synthesize,
  type TestFilesFor,
} from '@tadpole/taskpilot';
import { synthesisBody } from '../run/synthesis-body.js';
import type { TimelessEvent } from '../run/timeless-event.js';
import { createSynthesisPolicy, type RolloutSettings, type SynthesisActor } from './create-synthesis-policy.js';
import { environmentGate, withGate } from './environment-gate.js';
import { recordOnce } from './event-recorder.js';
import { measureImpact } from './impacted-tests.js';
import { modelGenerators } from './model-generators.js';
import { type OpenedRepositories, openRepositories, type RepositoryOpenEvent } from './open-repositories.js';
import { openRolloutBook, type RolloutBook } from './rollout-book.js';
import type { SourceRepository } from './source-repository.js';
import { synthesisLimits } from './synthesis-limits.js';
import { createSynthesisMeter, type RepositoryProgress } from './synthesis-progress.js';
import type { SynthesisStore } from './synthesis-store.js';
import type { TaskWriteEvent } from './validate-repository.js';
import { removeUnfinished, writeDraft } from './write-draft.js';

/** What {@link synthesizeRepository} reports. */
export type RepositorySynthesisEvent =
  | RepositoryOpenEvent
  | SynthesisEvent
  /** Before every round of rollouts, and at the end. */
  | ({ readonly type: 'synthesis-progress' } & RepositoryProgress)
  /** An admitted task, in its folder with its certificate. */
  | TaskWriteEvent;

/** What {@link synthesizeRepository} returns. */
export interface RepositorySynthesis extends RepositoryProgress {
  /** The admitted tasks, in the order of their admission. */
  readonly tasks: readonly Task[];
  readonly ended: Synthesis['ended'];
  readonly unscored: number;
  readonly executions: number;
}

/** See {@link synthesizeRepository}. */
export interface RepositorySynthesisOptions
  extends Pick<
    SynthesisOptions,
    'count' | 'budget' | 'band' | 'moves' | 'state' | 'checkpoint' | 'evaluationRecords' | 'heldOut' | 'mix' | 'quotas' | 'wave'
  > {
  /** Where everything is kept; one that was resumed goes on with what it holds. */
  store: SynthesisStore;
  repositories: readonly SourceRepository[];
  provider: SandboxProvider;
  /** Whose difficulty is measured. */
  actor: SynthesisActor;
  rollouts: RolloutSettings;
  seed: number;
  /** Each is a strategy. @default mutationGenerators() */
  generators?: readonly Generator[];
  /** A model that writes further candidates, each kind a strategy; its answers are kept in the store. @default none */
  author?: ModelEndpoint;
  /** @default 'file' */
  rung?: NonNullable<SynthesisOptions['rung']>;
  /** Tasks measured at one time. @default twice the count, from 4 to 16 */
  parallel?: number;
  /** Wall time of one run of a suite. @default 60000 */
  timeoutMs?: number;
  /** Takes secrets out of what is kept of rollouts. @default createRedactor(): keys of known forms */
  redactor?: Redactor;
  /** The clock that times and dates every event. */
  now: () => Date;
  signal?: AbortSignal;
}

/**
 * From bare folders to tasks that a policy can almost solve: opens the repositories, proposes bugs, validates each by execution,
 * measures the policy on them, refines what misses the band, and writes what is admitted with its certificate below `tasks/`.
 *
 * Everything that cost something is in the store before it counts: executions, rollouts, answers of the author, and the events
 * of the contracts in `journal.jsonl`. Called again with a resumed store and the same settings, it comes to the same tasks
 * without repeating a finished rollout. At its end it writes `state.json`, which the next checkpoint of the policy begins with.
 *
 * @throws TadpoleError as `openRepository`, `synthesize` and `createSynthesisPolicy` do; `invalid-input` when a repository is not
 * as it was when the synthesis began. What was finished stays in the store whatever the code.
 */
export async function* synthesizeRepository(
  options: RepositorySynthesisOptions,
): AsyncGenerator<RepositorySynthesisEvent, RepositorySynthesis> {
  const { store, provider, now, redactor, signal, timeoutMs = 60_000 } = options;
  const startedMs = now().getTime();
  const record = recordOnce({ journal: store.journal, now });
  const stop = signal === undefined ? {} : { signal };
  const shared = { provider, limits: synthesisLimits, timeoutMs, ...stop };
  const [scratch, records] = [store.folder('scratch'), store.folder('executions')];

  for (const name of ['candidates', 'tasks']) await removeUnfinished(store.folder(name));

  const opening = openRepositories({ ...shared, repositories: options.repositories, scratch, records });
  let opened = await opening.next();
  for (; opened.done !== true; opened = await opening.next()) {
    const { source, hash, tests, setAside } = opened.value;
    requireSame({ store, source, hash });
    record({ type: 'snapshot-ready', source, hash, tests, flaky: setAside, split: 'train' });
    yield opened.value;
  }
  const repositories = opened.value;
  const impacted = await measureImpact({ ...shared, ...repositories });
  const book = openRolloutBook({ file: join(store.directory, 'rollouts.jsonl'), ...(redactor === undefined ? {} : { redactor }) });
  try {
    const budget = lessTime({ budget: options.budget, ms: now().getTime() - startedMs });
    return yield* synthesizeOpened({ options: { ...options, budget }, repositories, impacted, book, record, scratch });
  } finally {
    book.close();
  }
}

async function* synthesizeOpened(parts: {
  options: RepositorySynthesisOptions;
  repositories: OpenedRepositories;
  impacted: TestFilesFor;
  book: RolloutBook;
  record: (event: TimelessEvent) => void;
  scratch: string;
}): AsyncGenerator<RepositorySynthesisEvent, RepositorySynthesis> {
  const { options, repositories, record, scratch } = parts;
  const { store, author, band, moves, state, checkpoint, evaluationRecords, heldOut, mix, quotas, wave, signal } = options;
  const { snapshots, executor, baselineRuns } = repositories;
  const written = author === undefined ? undefined : modelGenerators({ author, folder: store.folder('author') });
  const spentUsd = written?.spentUsd ?? (() => undefined);
  const { grade, openSandbox } = runtimeOf(parts);
  const meter = createSynthesisMeter({ policy: policyOf({ ...parts, grade, openSandbox }), spentUsd });
  const { count, seed, budget, rung = 'file', timeoutMs = 60_000, parallel = Math.min(16, Math.max(4, 2 * count)) } = options;

  const process = synthesize({
    ...{ snapshots, executor, limits: synthesisLimits, timeoutMs, baselineRuns, rung, count, seed, budget, parallel, spentUsd },
    // The gold patch gives back the snapshot's bytes, which passed in every one of those runs.
    goldRuns: 0,
    controls: { wrongFixes: siblingMutants({ marginLines: 3 }), otherFixes: behaviourPreservingRewrites() },
    testFilesFor: parts.impacted,
    generators: [...(options.generators ?? mutationGenerators()), ...(written?.generators ?? [])],
    policy: meter.policy,
    now: () => options.now().getTime(),
    ...givenOf({ band, moves, state, checkpoint, evaluationRecords, heldOut, mix, quotas, wave, signal }),
  });
  const tasks: Task[] = [];
  try {
    let step = await process.next();
    for (; step.done !== true; step = await process.next()) {
      let event = step.value;
      if (event.type === 'calibration-round') yield { type: 'synthesis-progress', ...meter.progress() };
      meter.add(event);
      if (event.type === 'task-admit') {
        const { draft } = event;
        const written = { draft, snapshot: snapshotOf({ snapshots, draft }), scratch };
        const candidate = await writeDraft({ ...written, into: store.folder('candidates') });
        const gate = await environmentGate({ task: candidate, openSandbox, signal });
        event = { ...event, certificate: withGate({ certificate: event.certificate, gate }) };
        const task = await writeDraft({ ...written, certificate: event.certificate, into: store.folder('tasks') });
        tasks.push(task);
        record(journaled(event));
        yield event;
        yield { type: 'task-write', task, operator: draft.data.lineage.operator };
      } else {
        record(journaled(event));
        yield event;
      }
    }
    const { state: next, ended, unscored, executions } = step.value;
    store.writeFile('state.json', `${JSON.stringify(next)}\n`);
    const progress = meter.progress();
    yield { type: 'synthesis-progress', ...progress };
    return { ...progress, tasks, ended, unscored, executions };
  } finally {
    // Ends what runs ahead when the caller stops or a write fails.
    await process.return(undefined as never);
  }
}

/** Grades and opens a task with the packages of its own repository. */
function runtimeOf(parts: { options: RepositorySynthesisOptions; repositories: OpenedRepositories }) {
  const { repositories } = parts;
  const { store, provider } = parts.options;
  const cache = createOutcomeCache({ directory: store.folder('outcomes') });
  const made = repositories.snapshots.map(({ hash }) => {
    const dependencyStore = repositories.dependencyStoreOf(hash);
    const grader = createGrader({ provider, dependencyStore, cache });
    return [hash, { grader, openSandbox: createTaskOpener({ provider, dependencyStore }) }] as const;
  });
  const ofSnapshot = new Map(made);
  const of = ({ data: { id, lineage } }: Task) => {
    const found = lineage.kind === 'generated' ? ofSnapshot.get(lineage.snapshotHash) : undefined;
    if (found !== undefined) return found;
    throw new TadpoleError({ code: 'invalid-input', message: `Expected a task of an opened repository, got ${id}.` });
  };
  const grade: Grader['grade'] = (request) => of(request.task).grader.grade(request);
  return { grade, openSandbox: (task: Task, signal: AbortSignal) => of(task).openSandbox(task, signal) };
}

function policyOf(parts: { options: RepositorySynthesisOptions; book: RolloutBook; scratch: string } & ReturnType<typeof runtimeOf>) {
  const { options, book, scratch, grade, openSandbox } = parts;
  const { store, actor, rollouts, seed, redactor, now } = options;
  return createSynthesisPolicy({
    ...{ actor, settings: rollouts, book, seed, scratch, candidates: store.folder('candidates'), grader: { grade }, openSandbox },
    ...(redactor === undefined ? {} : { redactor }),
    now: () => now().getTime(),
  });
}

function snapshotOf(options: { snapshots: readonly Snapshot[]; draft: { data: { lineage: { snapshotHash: string } } } }): Snapshot {
  const { snapshots, draft } = options;
  return snapshots.find(({ hash }) => hash === draft.data.lineage.snapshotHash) as Snapshot;
}

/** The event of the contracts. The order in which costs were added up is not to make another event of the same sum. */
function journaled(event: SynthesisEvent): TimelessEvent {
  const body = synthesisBody({ event, iteration: 0 });
  if (body.type !== 'synthesis-end' || body.costUsd === undefined) return body;
  return { ...body, costUsd: Number(body.costUsd.toFixed(9)) };
}

function requireSame(options: { store: SynthesisStore; source: string; hash: string }): void {
  const { store, source, hash } = options;
  const began = store.journal.events.filter((event) => event.type === 'snapshot-ready');
  const isComplete = store.journal.events.some(({ type }) => type !== 'snapshot-ready');
  const isKnown = began.some((event) => event.hash === hash);
  if (isKnown || (!isComplete && !began.some((event) => event.source === source))) return;
  const message = `Expected ${source} as it was when this synthesis began, but its files have changed. Restore them, or begin in another folder.`;
  throw new TadpoleError({ code: 'invalid-input', message });
}

/** The opening of the repositories, which is not cut short, takes its part of the time. */
function lessTime({ budget, ms }: { budget: SynthesisOptions['budget']; ms: number }): SynthesisOptions['budget'] {
  return budget.wallTimeMs === undefined ? budget : { ...budget, wallTimeMs: Math.max(0, budget.wallTimeMs - ms) };
}

/** The members that are given, since an absent option is not one that is `undefined`. */
function givenOf<Value extends object>(value: Value): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}
