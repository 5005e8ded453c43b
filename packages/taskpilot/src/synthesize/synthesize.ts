import { type Candidate, type Generator, isTadpoleError, type Snapshot } from '@tadpole/contracts';
import { seededRandom } from '../seeded-random.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { candidateIdOf } from '../validate/candidate-trees.js';
import type { TaskDraft } from '../validate/task-draft.js';
import { type ValidationSettings, validateCandidate } from '../validate/validate-candidate.js';
import type { RefusalReason } from '../validate/validation.js';
import { interleaveCandidates, type Proposal } from './interleave-candidates.js';
import { orderedWindow } from './ordered-window.js';
import { createQuota, type Split } from './quota.js';

/** Why a candidate was not taken: a {@link RefusalReason}, a line that already has its task, or a failed boundary. */
export type SynthesisRefusal = RefusalReason | 'duplicate' | 'sandbox-failed';

/** What {@link synthesize} reports about each candidate, in the order of proposal. */
export type SynthesisEvent =
  | {
      readonly type: 'candidate-refuse';
      readonly candidateId: string;
      readonly operator: string;
      readonly source: string;
      readonly reason: SynthesisRefusal;
      readonly detail: string;
    }
  | {
      readonly type: 'candidate-validate';
      readonly taskId: string;
      readonly operator: string;
      readonly source: string;
      readonly failToPass: number;
      readonly split: Split;
      readonly draft: TaskDraft;
    };

/** What {@link synthesize} returns. */
export interface SynthesisSummary {
  readonly validated: Readonly<Record<Split, number>>;
  readonly refused: Readonly<Record<string, number>>;
  /** Executions of tests, those of candidates that a quota then passed over included. */
  readonly executions: number;
  /** True when the generator ended before the count was reached. */
  readonly exhausted: boolean;
}

/** Boundary failures in a row after which the boundary itself is given up. */
const boundaryPatience = 3;

/**
 * Proposes and validates candidates until `count` tasks are valid. The accepted set, its order and the events
 * depend on the seed alone, not on `concurrency` or on which execution ends first (a failed boundary excepted).
 *
 * @throws TadpoleError `aborted`; `sandbox` after three failed boundaries in a row; what the generator throws.
 */
export async function* synthesize(
  options: ValidationSettings & {
    snapshots: readonly Snapshot[];
    generator: Generator;
    /** Valid tasks wanted: of `train`, or of each split. */
    count: number | Readonly<Partial<Record<Split, number>>>;
    seed: number | string;
    /** Validations at one time. @default 2 */
    concurrency?: number;
    /** Puts a candidate's task into a split before it is executed. @default 'train' for all */
    splitOf?: (options: { snapshot: Snapshot; candidate: Candidate }) => Split;
    /** Accepted tasks of one file. @default no limit */
    maxPerFile?: number;
    /** Accepted tasks of one line. @default 1 */
    maxPerLine?: number;
    signal?: AbortSignal;
  },
): AsyncGenerator<SynthesisEvent, SynthesisSummary> {
  const { snapshots, generator, seed, concurrency = 2, splitOf = () => 'train' as const, maxPerFile = Number.POSITIVE_INFINITY, maxPerLine = 1 } = options;
  const wanted = typeof options.count === 'number' ? { train: options.count } : options.count;
  const quota = createQuota({ counts: { train: 0, 'held-out': 0, ...wanted }, maxPerFile, maxPerLine });
  const ended = new AbortController();
  const signal = options.signal === undefined ? ended.signal : AbortSignal.any([options.signal, ended.signal]);
  const validated: Record<Split, number> = { train: 0, 'held-out': 0 };
  const refused: Record<string, number> = {};
  let [executions, boundaryFailures] = [0, 0];
  const executor: ValidationSettings['executor'] = {
    execute(run) {
      executions++;
      return options.executor.execute(run);
    },
  };

  const attempt = async ({ snapshot, candidate }: Proposal) => {
    const split = splitOf({ snapshot, candidate });
    const candidateId = candidateIdOf({ snapshot, candidate });
    if (quota.objection({ snapshot, candidate, split }) !== null) return { split, candidateId, validation: null };
    const random = seededRandom(`${seed} statement ${candidateId}`);
    const validation = await validateCandidate({ ...options, executor, snapshot, candidate, random, signal }).catch((error: unknown) => {
      if (isTadpoleError(error) && error.code === 'sandbox') return error;
      throw error;
    });
    return { split, candidateId, validation };
  };

  const jobs = interleaveCandidates({ snapshots, generator, seed, signal });
  try {
    if (quota.isFull()) return { validated, refused, executions, exhausted: false };
    for await (const { job, result } of orderedWindow({ jobs, size: concurrency, run: attempt, cancel: () => ended.abort() })) {
      const { split, candidateId, validation } = result;
      const { operator } = job.candidate.lineage;
      const { source } = job.snapshot;
      const objection = quota.objection({ ...job, split });
      if (objection === 'quota') continue;
      if (objection === 'duplicate' || validation === null) {
        yield refuse('duplicate', `line ${job.candidate.lineage.line} of ${job.candidate.lineage.file} has its task`);
      } else if (validation instanceof Error) {
        boundaryFailures++;
        if (boundaryFailures >= boundaryPatience) throw validation;
        yield refuse('sandbox-failed', validation.message);
      } else if (validation.status === 'refused') {
        boundaryFailures = 0;
        yield refuse(validation.reason, validation.detail);
      } else {
        boundaryFailures = 0;
        const { draft } = validation;
        quota.accept({ ...job, split });
        validated[split]++;
        yield { type: 'candidate-validate', taskId: draft.data.id, operator, source, failToPass: draft.data.verifier.failToPass.length, split, draft };
        if (quota.isFull()) return { validated, refused, executions, exhausted: false };
      }

      function refuse(reason: SynthesisRefusal, detail: string): SynthesisEvent {
        refused[reason] = (refused[reason] ?? 0) + 1;
        return { type: 'candidate-refuse', candidateId, operator, source, reason, detail };
      }
    }
    throwIfAborted(options.signal, 'Synthesis');
    return { validated, refused, executions, exhausted: true };
  } finally {
    ended.abort();
    await jobs.return(undefined);
  }
}
