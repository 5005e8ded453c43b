import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome, RolloutPurpose, Sampler, TadpoleEvent, Task, Trajectory } from '@tadpole/contracts';
import { type RolloutEnd, rollOut, rolloutSeed, toAtif, toolDefinition } from '@tadpole/leaf-harness';
import { taskHash } from '@tadpole/task-runtime';
import { readTrajectory } from '../run/read-trajectory.js';
import type { ClimbContext } from './climb-context.js';

/** A finished rollout, from now or from before a resume. */
export interface FinishedRollout {
  readonly task: Task;
  readonly sample: number;
  readonly trajectory: Trajectory;
  readonly outcome: Outcome;
}

/** Which samples of which task to roll out. */
export interface RolloutRequest {
  readonly task: Task;
  readonly samples: readonly number[];
}

/**
 * Rolls out what is asked for, journaling every rollout as it finishes. One that the journal already holds is
 * read back, never repeated. Yields events of the new ones; returns all, in the order of the requests.
 *
 * @param options.sampler - absent when every requested rollout must already be in the journal.
 * @throws TadpoleError `aborted`, `storage`.
 */
export async function* rollOutJournaled(options: {
  context: ClimbContext;
  purpose: RolloutPurpose;
  iteration: number;
  sampler: Sampler;
  requests: readonly RolloutRequest[];
}): AsyncGenerator<TadpoleEvent, readonly FinishedRollout[]> {
  const { context, purpose, iteration, sampler, requests } = options;
  const { configuration } = context;
  const { temperature, topP, maxTokensPerTurn } = configuration.sampling;
  const finished = new Map<string, FinishedRollout>();
  const journaled = journaledRollouts(context);
  /** Of rollouts that are journaled and not yielded yet. */
  const events = new Map<string, TadpoleEvent>();
  const samplesOf = new Map(requests.map(({ task, samples }) => [task.data.id, samples]));
  const taskOf = new Map(requests.map(({ task }) => [task.data.id, task]));

  const rollouts = rollOut({
    tasks: requests.map(({ task }) => task),
    samplesPerTask: (task) => samplesOf.get(task.data.id) ?? [],
    hashTask: taskHash,
    purpose,
    weightsVersion: sampler.weightsVersion,
    concurrency: configuration.concurrency.rollouts,
    gradingConcurrency: configuration.concurrency.grading,
    openSandbox: context.openSandbox,
    policy: context.policyOf(sampler),
    tools: context.tools,
    grader: context.grader,
    sampling: { temperature, topP, topK: 0, maxTokens: maxTokensPerTurn },
    seedFor: (of) => rolloutSeed({ runSeed: configuration.seed, ...of }),
    limits: agentLimits(context),
    redactor: context.options.redactor,
    now: () => context.options.now().getTime(),
    signal: context.options.signal,
    journal: {
      has(key) {
        const event = journaled.get(key);
        const task = event && taskOf.get(event.taskId);
        if (!event || !task) return false;
        const rollout = readRollout({ context, event, task });
        if (rollout) finished.set(rolloutName(rollout), rollout);
        return rollout !== undefined;
      },
      append(end) {
        events.set(end.key, recordRollout({ context, iteration, end }));
      },
    },
  });

  for await (const { key, task, sample, trajectory, outcome } of rollouts) {
    finished.set(rolloutName({ task, sample }), { task, sample, trajectory, outcome });
    yield events.get(key) as TadpoleEvent;
    events.delete(key);
  }
  return requests.flatMap(({ task, samples }) => samples.flatMap((sample) => finished.get(rolloutName({ task, sample })) ?? []));
}

/** Writes the trajectory, then the event that makes the rollout finished. */
function recordRollout(options: { context: ClimbContext; iteration: number; end: RolloutEnd }): TadpoleEvent {
  const { context, iteration, end } = options;
  const { key, purpose, task, sample, weightsVersion, trajectory, outcome, usage } = end;
  const path = join('trajectories', `${key.slice(0, 32)}.json`);
  context.store.folder('trajectories');
  context.store.writeFile(path, JSON.stringify(toAtif(trajectory, { outcome, tools: context.tools.map(toolDefinition) })));
  return context.record({
    type: 'rollout-end',
    key,
    iteration,
    purpose,
    taskId: task.data.id,
    sample,
    weightsVersion,
    stopReason: trajectory.stopReason,
    outcome: briefOutcome(outcome),
    usage,
    durationMs: trajectory.durationMs,
    trajectory: path,
  });
}

function agentLimits(context: ClimbContext) {
  const { agent, sampling } = context.configuration;
  return {
    maxTurns: agent.maxTurns,
    wallTimeMs: agent.wallTimeMs,
    maxGeneratedTokens: agent.maxTurns * sampling.maxTokensPerTurn,
  };
}

type RolloutEvent = Extract<TadpoleEvent, { type: 'rollout-end' }>;

function journaledRollouts(context: ClimbContext): ReadonlyMap<string, RolloutEvent> {
  const rollouts = context.store.journal.events.filter((event): event is RolloutEvent => event.type === 'rollout-end');
  return new Map(rollouts.map((event) => [event.key, event]));
}

function readRollout(options: { context: ClimbContext; event: RolloutEvent; task: Task }): FinishedRollout | undefined {
  const { context, event, task } = options;
  const path = join(context.store.directory, event.trajectory);
  if (!existsSync(path)) return undefined;
  const { trajectory, outcome } = readTrajectory(path);
  return { task, sample: event.sample, trajectory, outcome: outcome ?? event.outcome };
}

function rolloutName(of: { task: Task; sample: number }): string {
  return `${of.task.data.id} ${of.sample}`;
}

/** The journal keeps the tests that did not pass, five at most; the trajectory's file keeps them all. */
function briefOutcome(outcome: Outcome): Outcome {
  if (outcome.status === 'unscored') return outcome;
  return { ...outcome, tests: outcome.tests.filter((test) => test.status !== 'passed').slice(0, 5) };
}
