import type { Band } from '../calibrate/grid-prior.js';
import type { MoveEffects } from '../refine/create-move-effects.js';
import { isWorthwhile } from '../refine/is-worthwhile.js';
import type { MeasuredTask, Refinement, RefinementMove } from '../refine/refinement-move.js';
import { seededRandom } from '../seeded-random.js';
import { candidateIdOf } from '../validate/candidate-trees.js';
import { refuseEvent } from './candidate-event.js';
import type { ReadyTask } from './draft-source.js';
import { isTrivial, type OfferedTask } from './offered-task.js';
import type { RefuseEvent } from './synthesis-event.js';
import type { SynthesisValidation } from './synthesis-validation.js';

/** Makes harder tasks of those that were too easy and easier ones of those that were too hard. */
export interface Refiner {
  /** Names of the moves. */
  readonly moves: readonly string[];
  /** Whether a move has a task that it was not tried on. */
  isReady(move: string): boolean;
  /** Valid refinements by this move, the task nearest to the band first; and those that were refused. */
  refine(move: string): AsyncGenerator<RefuseEvent | ReadyTask, undefined>;
}

/** Refinements of a lineage at most, and of one task by one move that are validated at most. */
const [mostSteps, mostAttempts] = [2, 3];

/** A refiner over the tasks that have been measured, as `offered` says. Each task is given to each move once. */
export function createRefiner(options: {
  moves: readonly RefinementMove[];
  effects: MoveEffects;
  offered: ReadonlyMap<string, OfferedTask>;
  validation: SynthesisValidation;
  band: Band;
  seed: number | string;
  signal: AbortSignal;
}): Refiner {
  const { effects, offered, validation, band, seed, signal } = options;
  const moves = new Map(options.moves.map((move) => [move.name, move]));
  /** Number of other tasks at the last trial, `Infinity` once the move made something. */
  const tried = new Map<string, number>();
  return {
    moves: [...moves.keys()],
    isReady: (name) => nextTask(name) !== undefined,
    async *refine(name) {
      const move = moves.get(name) as RefinementMove;
      for (let task = nextTask(name); task !== undefined; task = nextTask(name)) {
        const others = othersOf(task);
        tried.set(keyOf(name, task), others.length);
        yield* children({ move, task, others });
      }
      return undefined;
    },
  };

  async function* children(options: { move: RefinementMove; task: OfferedTask; others: readonly OfferedTask[] }) {
    const { move, task, others } = options;
    const random = seededRandom(`${seed} ${move.name} ${task.draft.data.id}`);
    const given = new Map([task, ...others].map((entry) => [measured(entry), entry]));
    const [first, ...rest] = given.keys();
    let attempts = 0;
    for await (const { proposal, parents: from } of move.propose({ task: first as MeasuredTask, others: rest, random, signal })) {
      tried.set(keyOf(move.name, task), Number.POSITIVE_INFINITY);
      const parents = from.flatMap((parent) => given.get(parent) ?? []);
      if (parents.some(({ steps }) => steps >= mostSteps)) continue;
      const prior = effects.priorOf({ move: move.name, parents: parents.map(countOf) });
      if (!isWorthwhile({ prior, band })) return;
      yield await ready({ move, task, proposal, parents });
      attempts += 1;
      if (attempts === mostAttempts) return;
    }
  }

  /** Validates what is not valid already. */
  async function ready(
    options: { move: RefinementMove; task: OfferedTask; parents: readonly OfferedTask[] } & Pick<Refinement, 'proposal'>,
  ) {
    const { move, task, proposal, parents } = options;
    const about = { snapshot: task.snapshot, strategy: move.name };
    if (proposal.kind === 'draft') return { ...about, candidate: task.candidate, draft: proposal.draft, parents };
    const { candidate, rung } = proposal;
    const verdict = await validation.attempt({ snapshot: task.snapshot, candidate, rung, signal });
    if (verdict.status === 'valid') return { ...about, candidate, draft: verdict.draft, parents };
    return refuseEvent({ ...about, candidate, candidateId: candidateIdOf({ snapshot: task.snapshot, candidate }), verdict });
  }

  function nextTask(name: string): OfferedTask | undefined {
    const move = moves.get(name) as RefinementMove;
    const untried = refinable(move).filter((task) => othersOf(task).length > (tried.get(keyOf(name, task)) ?? -1));
    const distance = ({ verdict }: OfferedTask) => Math.abs((verdict?.posteriorMean ?? 0) - (band[0] + band[1]) / 2);
    return untried.sort((left, right) => distance(left) - distance(right))[0];
  }

  /** Measured tasks whose verdict the move is made for, and whose lineage is short enough. */
  function refinable({ makes }: RefinementMove): OfferedTask[] {
    const wanted = makes === 'harder' ? 'too-easy' : 'too-hard';
    return [...offered.values()].filter(
      (task) => task.verdict?.verdict === wanted && task.steps < mostSteps && !isTrivial(task) && task.verdict.trials > 0,
    );
  }

  /** What else was measured in its snapshot, whatever the verdict. */
  function othersOf(task: OfferedTask): OfferedTask[] {
    return [...offered.values()].filter((other) => other !== task && other.snapshot === task.snapshot && (other.verdict?.trials ?? 0) > 0);
  }
}

function measured({ snapshot, candidate, draft, facts, steps, verdict }: OfferedTask): MeasuredTask {
  const { successes = 0, trials = 0, posteriorMean = 0.5 } = verdict ?? {};
  return { snapshot, candidate, draft, facts, steps, successes, trials, posteriorMean };
}

function countOf({ verdict }: OfferedTask) {
  const { successes = 0, trials = 0 } = verdict ?? {};
  return { successes, trials };
}

function keyOf(move: string, { draft }: OfferedTask): string {
  return `${move} ${draft.data.id}`;
}
