import type { Candidate, Generator, Snapshot } from '@tadpole/contracts';
import { seededRandom } from '../seeded-random.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { candidateIdOf } from '../validate/candidate-trees.js';
import type { ValidationSettings } from '../validate/validate-candidate.js';
import { attemptCandidate, createBoundaryPatience, type Verdict } from './attempt-candidate.js';
import { refuseEvent, validateEvent } from './candidate-event.js';
import { interleaveCandidates, type Proposal } from './interleave-candidates.js';
import { orderedWindow } from './ordered-window.js';
import { createQuota, type Split } from './quota.js';
import type { RefuseEvent, ValidateEvent } from './synthesis-event.js';

interface Attempt {
  readonly split: Split;
  readonly candidateId: string;
  readonly verdict: Verdict | { readonly status: 'duplicate' };
}

/** What {@link validateProposals} reports about each candidate, in the order of proposal. */
export type ProposalEvent = RefuseEvent | ValidateEvent;

/** What {@link validateProposals} returns. */
export interface ProposalSummary {
  readonly validated: Readonly<Record<Split, number>>;
  readonly refused: Readonly<Record<string, number>>;
  /** Executions of tests, those of candidates that a quota then passed over included. */
  readonly executions: number;
  /** True when the generator ended before the count was reached. */
  readonly exhausted: boolean;
}

/**
 * Proposes and validates candidates until `count` tasks are valid; nothing is measured, for which see `synthesize`. The accepted set, its order and the events
 * depend on the seed alone, not on `concurrency` or on which execution ends first (a failed boundary excepted).
 *
 * @throws TadpoleError `aborted`; `sandbox` after three failed boundaries in a row; what the generator throws.
 */
export async function* validateProposals(
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
): AsyncGenerator<ProposalEvent, ProposalSummary> {
  const {
    snapshots,
    generator,
    seed,
    concurrency = 2,
    splitOf = () => 'train' as const,
    maxPerFile = Number.POSITIVE_INFINITY,
    maxPerLine = 1,
  } = options;
  const wanted = typeof options.count === 'number' ? { train: options.count } : options.count;
  const quota = createQuota({ counts: { train: 0, 'held-out': 0, ...wanted }, maxPerFile, maxPerLine });
  const ended = new AbortController();
  const signal = options.signal === undefined ? ended.signal : AbortSignal.any([options.signal, ended.signal]);
  const validated: Record<Split, number> = { train: 0, 'held-out': 0 };
  const refused: Record<string, number> = {};
  let executions = 0;
  const executor: ValidationSettings['executor'] = {
    execute(run) {
      executions++;
      return options.executor.execute(run);
    },
  };
  const summarise = (exhausted: boolean): ProposalSummary => ({ validated, refused, executions, exhausted });

  const run = async (proposal: Proposal): Promise<Attempt> => {
    const split = splitOf(proposal);
    const candidateId = candidateIdOf(proposal);
    if (quota.objection({ ...proposal, split }) !== null) return { split, candidateId, verdict: { status: 'duplicate' } };
    const random = seededRandom(`${seed} statement ${candidateId}`);
    return { split, candidateId, verdict: await attemptCandidate({ ...options, ...proposal, executor, random, signal }) };
  };

  const jobs = interleaveCandidates({ snapshots, generator, seed, signal });
  try {
    if (quota.isFull()) return summarise(false);
    const checkBoundary = createBoundaryPatience({ failures: 3 });
    for await (const { job, result } of orderedWindow({ jobs, size: concurrency, run, cancel: () => ended.abort() })) {
      const { split, candidateId } = result;
      const objection = quota.objection({ ...job, split });
      if (objection === 'quota') continue;
      const verdict = objection === 'duplicate' ? { status: objection } : result.verdict;
      if (verdict.status !== 'duplicate') checkBoundary(verdict);
      if (verdict.status === 'valid') {
        quota.accept({ ...job, split });
        validated[split]++;
        yield validateEvent({ draft: verdict.draft, strategy: generator.name, split });
      } else {
        const event = refuseEvent({ ...job, candidateId, strategy: generator.name, verdict });
        refused[event.reason] = (refused[event.reason] ?? 0) + 1;
        yield event;
      }
      if (quota.isFull()) return summarise(false);
    }
    throwIfAborted(options.signal, 'Validating proposals');
    return summarise(true);
  } finally {
    ended.abort();
    await jobs.return(undefined);
  }
}
