import { type Certificate, type Generator, type Snapshot, TadpoleError } from '@tadpole/contracts';
import type { QuotaShares } from '../calibrate/admission-quota.js';
import { type CandidateVerdict, calibrateIteration, type IterationOptions } from '../calibrate/calibrate-iteration.js';
import { defaultBand } from '../calibrate/grid-prior.js';
import { bankPriors } from '../calibrate/prior-model.js';
import { createDuplicateFilter, type DuplicateTask } from '../duplicates/duplicate-filter.js';
import type { EvaluationRecord } from '../duplicates/evaluation-record.js';
import { mixOf, type TaskMix } from '../duplicates/task-mix.js';
import { createMoveEffects } from '../refine/create-move-effects.js';
import { defaultMoves } from '../refine/default-moves.js';
import { refinablePriors } from '../refine/refinable-priors.js';
import type { RefinementMove } from '../refine/refinement-move.js';
import type { TaskDraft } from '../validate/task-draft.js';
import type { ValidationSettings } from '../validate/validate-candidate.js';
import { createAdmissions } from './admissions.js';
import { joinEntries, keepTasks, recallTasks, splitBank } from './carry-state.js';
import { childrenOf } from './children-of.js';
import { createDraftSource } from './draft-source.js';
import { createIntakeGate } from './intake-gate.js';

import { createRefiner } from './refiner.js';
import { openCostMeter, type SynthesisBudget } from './synthesis-budget.js';
import type { EndEvent, SynthesisEvent } from './synthesis-event.js';
import { meteredRollOut, type SynthesisPolicy } from './synthesis-policy.js';
import { emptySynthesisState, parseSynthesisState, type SynthesisState } from './synthesis-state.js';
import { createSynthesisValidation } from './synthesis-validation.js';
import { taskKind } from './task-kind.js';

/** See {@link synthesize}. */
export interface SynthesisOptions
  extends Omit<ValidationSettings, 'examples'>,
    Pick<
      IterationOptions,
      'checkpoint' | 'band' | 'ruleFor' | 'priors' | 'chooser' | 'reuse' | 'doubt' | 'parallel' | 'wave' | 'maxUnscored'
    > {
  snapshots: readonly Snapshot[];
  /** Each is a strategy, under its name: an arm of the bandit, with a prior and a quota of its own. */
  generators: readonly Generator[];
  policy: SynthesisPolicy;
  /** Tasks wanted in the band. */
  count: number;
  budget: SynthesisBudget;
  seed: number | string;
  /** What the synthesis before returned. @default nothing is known */
  state?: SynthesisState;
  /** How measured tasks are made harder and easier, each a strategy too. @default defaultMoves() */
  moves?: readonly RefinementMove[];
  /** Evaluation sets that no task may repeat. @default none */
  evaluationRecords?: readonly EvaluationRecord[];
  /** Held-out tasks that no task may repeat, see `duplicateTaskOf`. @default none */
  heldOut?: readonly DuplicateTask[];
  /** Mix of kinds to hold within ten points, for instance `state.firstMix`. @default any */
  mix?: TaskMix;
  quotas?: QuotaShares;
  /** Name of the run, within which a function has at most three tasks and one of an operator. @default 'run' */
  run?: string;
  /** Validations at one time. @default 2 */
  concurrency?: number;
  /** Milliseconds, for `budget.wallTimeMs`. @default the machine's clock */
  now?: () => number;
  /** Dollars spent beside the rollouts, for instance by a model that writes candidates. @default nothing is known */
  spentUsd?: () => number | undefined;
  signal?: AbortSignal;
}

/** A task in the band. */
export interface AdmittedTask {
  readonly draft: TaskDraft;
  readonly calibration: CandidateVerdict;
  readonly certificate: Certificate;
}

/** What {@link synthesize} returns. */
export interface Synthesis extends Omit<EndEvent, 'type' | 'admitted'> {
  readonly admitted: readonly AdmittedTask[];
  /** For the next checkpoint. */
  readonly state: SynthesisState;
}

/**
 * Finds `count` tasks that the current policy can almost solve: generators and refinement moves propose, execution
 * validates, rollouts measure until a rule decides, and what is too easy or too hard is refined, at most twice in a lineage. The
 * bandit divides the work between generators and moves. Ends with the count, the budget, or when no strategy has more.
 *
 * Everything depends on the inputs and the seed alone, the order of rollouts and `concurrency` left aside; a bound in money or
 * time excepted. To resume, call it again with the same inputs, an executor that recalls its results and a policy that recalls
 * its rollouts. Source: taskpilot.md sections 5 and 6; frognano.md section 1.
 *
 * @throws TadpoleError `invalid-config` for settings out of range; `invalid-input` for a wrong state or policy; `aborted`;
 * `sandbox` after three failed boundaries in a row; what generators and the policy throw.
 */
export async function* synthesize(options: SynthesisOptions): AsyncGenerator<SynthesisEvent, Synthesis> {
  const { snapshots, generators, policy, count, seed, band = defaultBand } = options;
  const state = options.state === undefined ? emptySynthesisState() : parseSynthesisState(options.state);
  const { checkpoint = 0, moves = defaultMoves({ band }), now = Date.now, spentUsd = () => undefined } = options;
  requireDistinctNames([...generators, ...moves]);
  const ended = new AbortController();
  const signal = options.signal === undefined ? ended.signal : AbortSignal.any([options.signal, ended.signal]);
  const costs = openCostMeter({ budget: options.budget, now, spentUsd });
  const effects = createMoveEffects({ moves, state: state.effects });
  const filter = createDuplicateFilter({ run: options.run ?? 'run', state: state.duplicates });
  for (const task of options.heldOut ?? []) filter.holdOut(task);
  const gate = createIntakeGate({ filter, records: options.evaluationRecords ?? [], count, mix: options.mix });
  const offered = recallTasks({ state, snapshots });
  const { usable, waiting } = splitBank({ bank: state.bank, offered });
  const validation = createSynthesisValidation({ settings: options, seed, concurrency: options.concurrency ?? 2 });
  const inFlight = AbortSignal.any([signal, costs.deadline]);
  const refiner = createRefiner({ moves, effects, offered, validation, band, seed, signal: inFlight });
  const source = createDraftSource({
    ...{ snapshots, generators, refiner, validation, gate, offered, seed },
    signal: inFlight,
    isSpent: costs.isSpent,
  });
  const register = createAdmissions({ offered, recalled: new Set(offered.keys()), gate, weightsVersion: policy.weightsVersion, band });
  let unscored = 0;

  const iteration = calibrateIteration({
    ...{ source, count, seed, checkpoint, band, bank: usable, signal, mayAdmit: register.mayAdmit },
    ...definedOf(options, ['ruleFor', 'chooser', 'reuse', 'doubt', 'parallel', 'wave', 'maxUnscored', 'quotas']),
    priors: refinablePriors({
      fallback: options.priors ?? bankPriors(usable),
      effects,
      childOf: childrenOf({ offered, moves, checkpoint }),
    }),
    rollOut: meteredRollOut({ policy, offered, costs, onUnscored: () => unscored++ }),
    budget: { ...definedOf(options.budget, ['rollouts', 'candidates']), isSpent: costs.isSpent, deadline: costs.deadline },
  });
  try {
    let step = await iteration.next();
    for (; step.done !== true; step = await iteration.next()) {
      if (step.value.type === 'candidate-calibrate') yield* register.conclude(step.value);
      else if (step.value.type === 'candidate-park') register.park(step.value.taskId);
      else yield step.value;
    }
    yield* register.discard();
    const costUsd = costs.total();
    const { rollouts, ended: reason, bank } = step.value;
    const end = { ended: reason, rollouts, unscored, executions: validation.executions(), ...(costUsd === undefined ? {} : { costUsd }) };
    const admitted = register.admitted();
    yield { type: 'synthesis-end', admitted: admitted.length, ...end };
    const kinds = admitted.map(({ draft }) => taskKind(draft));
    const next: SynthesisState = {
      version: 1,
      bank: { ...bank, entries: joinEntries({ waiting, measured: bank.entries }) },
      tasks: keepTasks({ state, offered, admitted: new Set(admitted.map(({ draft }) => draft.data.id)) }),
      ...{ duplicates: filter.state(), effects: effects.state(), firstMix: state.firstMix ?? (kinds.length === 0 ? null : mixOf(kinds)) },
    };
    return { admitted, state: next, ...end };
  } finally {
    costs.close();
    ended.abort();
    await iteration.return(undefined as never);
    await source.close();
  }
}

/** The members that are given, since an absent option is not one that is `undefined`. */
function definedOf<Value extends object, Key extends keyof Value>(value: Value, keys: readonly Key[]): Partial<Pick<Value, Key>> {
  return Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]])) as Partial<Pick<Value, Key>>;
}

function requireDistinctNames(strategies: readonly { readonly name: string }[]): void {
  const names = strategies.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  const message = `synthesize: expected generators and moves of distinct names, which are their strategies, got ${repeated} twice; name each.`;
  throw new TadpoleError({ code: 'invalid-config', message });
}
