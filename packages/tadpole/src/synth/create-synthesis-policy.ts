import type { AnyTool, Grader, OwnedSandbox, Policy, Renderer, Sampler, Sampling, Task } from '@tadpole/contracts';
import {
  type AgentLimitsInput,
  createRedactor,
  createTokenPolicy,
  leafTools,
  type Redactor,
  redactValue,
  rollOut,
  rolloutSeed,
} from '@tadpole/leaf-harness';
import { taskHash } from '@tadpole/task-runtime';
import type { SynthesisPolicy, SynthesisRollout } from '@tadpole/taskpilot';
import type { RolloutBook } from './rollout-book.js';
import { writeDraft } from './write-draft.js';

/** Who rolls out: a policy with the name of its weights, or a sampler, which knows it, with the renderer of its tokens. */
export type SynthesisActor =
  | { readonly policy: Policy; readonly weightsVersion: string }
  | { readonly sampler: Sampler; readonly renderer: Renderer };

/** How a policy is rolled out to measure tasks. */
export interface RolloutSettings {
  /** @default every limit's own default */
  readonly limits?: AgentLimitsInput;
  readonly sampling: Omit<Sampling, 'seed'>;
  /** Agents and gradings at work at one time. */
  readonly concurrency: { readonly agents: number; readonly grading: number };
  /** @default Leaf's five tools */
  readonly tools?: readonly AnyTool[];
}

/**
 * The policy that `synthesize` measures tasks with, from parts of ours: every requested draft is written as a task folder,
 * rolled out by `rollOut` and graded. A rollout that the book holds is read, never run again, so that a synthesis that was
 * killed goes on where it was; its cost counts as if it had been run now.
 *
 * Its `rollOut` throws TadpoleError as `rollOut`, `writeDraft` and the book do.
 */
export function createSynthesisPolicy(options: {
  actor: SynthesisActor;
  settings: RolloutSettings;
  grader: Grader;
  openSandbox: (task: Task, signal: AbortSignal) => Promise<OwnedSandbox>;
  book: RolloutBook;
  /** Folder for the task folders of measured candidates. */
  candidates: string;
  /** Folder for what is removed again. */
  scratch: string;
  /** With a task and a sample's number, it gives the rollout's seed. */
  seed: number;
  /** @default createRedactor(): keys of known forms */
  redactor?: Redactor;
  /** Milliseconds since the epoch. */
  now: () => number;
}): SynthesisPolicy {
  const { actor, settings, grader, openSandbox, book, candidates, scratch, seed, redactor = createRedactor(), now } = options;
  const { sampling, concurrency, limits, tools = leafTools() } = settings;
  const { policy, weightsVersion } = policyOf(actor);
  return {
    weightsVersion,
    async *rollOut({ requests, signal }) {
      const samplesOf = new Map(requests.map(({ task, samples }) => [task.data.id, samples]));
      const tasks: Task[] = [];
      for (const { task: draft, snapshot } of requests) tasks.push(await writeDraft({ draft, snapshot, into: candidates, scratch }));
      // A record's names are redacted as everything in it is.
      const idOf = new Map(tasks.map(({ data: { id } }) => [redactValue(id, { redactor }).value, id]));
      const recalled: SynthesisRollout[] = [];
      const rollouts = rollOut({
        ...{ tasks, policy, weightsVersion, tools, grader, openSandbox, sampling, now, hashTask: taskHash, purpose: 'calibration' },
        ...{ concurrency: concurrency.agents, gradingConcurrency: concurrency.grading },
        ...(limits === undefined ? {} : { limits }),
        redactor,
        ...(signal === undefined ? {} : { signal }),
        samplesPerTask: (task) => samplesOf.get(task.data.id) ?? [],
        seedFor: (of) => rolloutSeed({ runSeed: seed, ...of }),
        journal: {
          has(key) {
            const known = book.recall(key);
            if (known !== undefined) recalled.push({ ...known, taskId: idOf.get(known.taskId) ?? known.taskId });
            return known !== undefined;
          },
          append: (end) => book.append(end),
        },
      });
      for await (const { key } of rollouts) {
        yield* recalled.splice(0);
        yield book.recall(key) as SynthesisRollout;
      }
      yield* recalled;
    },
  };
}

function policyOf(actor: SynthesisActor): { policy: Policy; weightsVersion: string } {
  if ('policy' in actor) return actor;
  const { sampler, renderer } = actor;
  const { weightsVersion } = sampler;
  return { policy: createTokenPolicy({ name: weightsVersion, renderer, sampler }), weightsVersion };
}
