import { type Scored, TadpoleError } from '@tadpole/contracts';
import { seededRandom } from '../seeded-random.js';
import { createAdmissionQuota, defaultQuotaShares, type QuotaShares } from './admission-quota.js';
import { type Bank, emptyBank, toMeasurement } from './bank.js';
import { openBankBook } from './bank-book.js';
import { type Calibration, type CalibrationVerdict, judge, toCalibration } from './calibration.js';
import { freshCandidates, rankBank } from './candidate-intake.js';
import type { CandidateSource } from './candidate-source.js';
import { createCarriedPrior } from './carried-prior.js';
import type { DecisionRule } from './decision-rule.js';
import { decisionTable } from './decision-table.js';
import { type Band, betaPrior, defaultBand, type GridPrior } from './grid-prior.js';
import { measureAnchors, type ShiftEvent } from './measure-anchors.js';
import type { RollOut } from './measure-wave.js';
import type { CalibrationCandidate } from './measurement.js';
import { bankPriors, type PriorModel } from './prior-model.js';
import { createRolloutMeter, type RoundEvent } from './rollout-meter.js';
import { keepRules, prepareSlot, type Slot } from './slot.js';
import { type StrategyChooser, strategyBandit } from './strategy-bandit.js';

/** How tasks of earlier checkpoints are used again. */
export interface ReuseSettings {
  /** Tasks measured again to learn how much abler the policy became; with fewer at hand the gain is taken as 0 ± 1. @default 24 */
  readonly anchors?: number;
  /** Rollouts of an anchor. @default 4 */
  readonly anchorTrials?: number;
  /** Only tasks that are in the band with at least this probability are measured again. @default 0.2 */
  readonly minProbabilityInBand?: number;
  /** Standard deviation of an item's own drift a checkpoint, in logits. @default 0.6 */
  readonly drift?: number;
}

/** A verdict on a candidate. With no trial and no unscored rollout it was refused by its prior alone. */
export type CandidateVerdict = Calibration & {
  readonly strategy: string;
  readonly repository: string;
  /** Fresh from the source, or from the bank. */
  readonly origin: 'fresh' | 'bank';
  /** Name of the rule that decided. */
  readonly rule: string;
  /** In the band, within the quotas, not refused by `mayAdmit`, and before the count was reached. */
  readonly admitted: boolean;
};

/** What {@link calibrateIteration} reports. */
export type IterationEvent =
  | ShiftEvent
  | RoundEvent
  | ({ readonly type: 'candidate-calibrate' } & CandidateVerdict)
  | { readonly type: 'candidate-park'; readonly taskId: string; readonly reason: 'repository-quota' };

/** What {@link calibrateIteration} returns. */
export interface IterationSummary {
  readonly admitted: readonly { readonly candidate: CalibrationCandidate; readonly calibration: Calibration }[];
  /** Rollouts asked for, those of anchors and unscored ones included. */
  readonly rollouts: number;
  /** Candidates taken from the source. */
  readonly candidates: number;
  /** Why it ended: enough tasks, no budget for another rollout or candidate, or no open strategy with candidates. */
  readonly ended: 'count' | 'budget' | 'exhausted';
  /** The bank with everything of this iteration, for the next. */
  readonly bank: Bank;
}

/** See {@link calibrateIteration}. */
export interface IterationOptions<SourceEvent = never> {
  source: CandidateSource<SourceEvent>;
  rollOut: RollOut<CalibrationCandidate>;
  count: number;
  seed: number | string;
  /** Index of the policy's checkpoint, from 0. @default 0 */
  checkpoint?: number;
  /** @default empty: nothing to use again */
  bank?: Bank;
  /** @default [0.3, 0.7] */
  band?: Band;
  /** @default a {@link decisionTable} of each prior for this band and wave, with mu = .85, since an estimated prior errs */
  ruleFor?: (prior: GridPrior) => DecisionRule;
  /** @default the difficulty predictor over pooled strategy priors, both beginning with the bank's measurements */
  priors?: PriorModel;
  /** @default a bandit that begins with the bank's admissions */
  chooser?: StrategyChooser;
  reuse?: ReuseSettings;
  /** @default a quarter a strategy, a fifth a repository, or equal parts where that is more */
  quotas?: QuotaShares;
  /** Where to give up. @default no limit */
  budget?: {
    readonly rollouts?: number;
    readonly candidates?: number;
    /** Asked before each candidate and each round. */
    readonly isSpent?: () => boolean;
    /** Ends candidates and rollouts in flight, by the signal that they are given; the outcomes that came before count. */
    readonly deadline?: AbortSignal;
  };
  /** Asked of a task in the band, before it is admitted. @default always */
  mayAdmit?: (candidate: CalibrationCandidate) => boolean;
  /** Share of the hopeless candidates that are measured all the same, under the default prior, lest a wrong prior last. @default 0.03 */
  doubt?: number;
  /** Candidates measured at one time. @default 16 */
  parallel?: number;
  /** Rollouts of a task and round. @default 2 */
  wave?: number;
  /** A task with more unscored rollouts than this is `undecided`. @default 4 */
  maxUnscored?: number;
  /** @default the reward is 1: every named test passed */
  isSuccess?: (outcome: Scored) => boolean;
  signal?: AbortSignal;
}

/**
 * Finds `count` tasks in the band for the current policy, with few rollouts: measures anchors and the bank's most
 * promising tasks again, then asks the strategies that the chooser picks, refuses without a rollout what its
 * prior makes hopeless, and measures the others in waves, several at a time. The result depends on the inputs
 * and the seed alone, not on which rollout ends first. Source: taskpilot.md section 5, default algorithm.
 *
 * To resume, run it again with the same inputs and answer the rollouts that are known; to go on from what it
 * returned, give it that bank.
 *
 * @throws TadpoleError `invalid-input` for wrong outcomes, repeated ids or a bank of a later checkpoint;
 * `invalid-config`; `aborted`.
 */
export async function* calibrateIteration<SourceEvent = never>(
  options: IterationOptions<SourceEvent>,
): AsyncGenerator<IterationEvent | SourceEvent, IterationSummary> {
  const { source, count, seed, checkpoint = 0, bank = emptyBank(), band = defaultBand, wave = 2, parallel = 16, signal } = options;
  const { budget = {}, doubt = 0.03, maxUnscored = 4, isSuccess = (outcome: Scored) => outcome.reward >= 1 } = options;
  const { maxRollouts, maxCandidates } = { maxRollouts: budget.rollouts ?? Infinity, maxCandidates: budget.candidates ?? Infinity };
  const { deadline } = budget;
  const isBudgetSpent = () => deadline?.aborted === true || (budget.isSpent?.() ?? false);
  const { anchors = 24, anchorTrials = 4, minProbabilityInBand = 0.2, drift = 0.6 } = options.reuse ?? {};
  requireCounts({ wave, parallel, anchorTrials, count });
  const random = seededRandom(`${seed} calibration`);
  const book = openBankBook({ bank, checkpoint });
  const priors = options.priors ?? bankPriors(bank);
  const chooser = options.chooser ?? defaultChooser(bank, seededRandom(`${seed} strategies`));
  const carriedPriorOf = createCarriedPrior({ priors, drift });
  const ruleOf = keepRules(options.ruleFor ?? ((prior) => decisionTable({ prior, band, mu: 0.85, wave })));
  const defaultPrior = betaPrior();
  const quota = createAdmissionQuota({ ...source, count, shares: options.quotas ?? defaultQuotaShares });
  const meter = createRolloutMeter({ rollOut: options.rollOut, isSuccess, maxRollouts, signal, deadline });
  const fresh = freshCandidates({ source, chooser, quota, book, signal, deadline });

  const anchored = { bank, entries: book.unadmitted(), checkpoint, anchors, anchorTrials, drift, carriedPriorOf, meter, random };
  const { checkpoints, counts } = yield* measureAnchors(anchored);
  for (const anchor of counts) book.write(anchor);
  const known = book.unadmitted().map((entry) => prepareSlot({ ...entry, checkpoints, carriedPriorOf }));
  const ranked = rankBank({ slots: known, band, minProbabilityInBand });
  const admitted: { candidate: CalibrationCandidate; calibration: Calibration }[] = [];
  let open: Slot[] = [];
  let isSpent = false;
  while (admitted.length < count && !isSpent) {
    yield* fill();
    if (open.length === 0) break;
    isSpent = isBudgetSpent();
    if (isSpent) break;
    const wanted = open.map(({ count, rule }) => ({ count, most: Math.min(wave, rule.maxTrials - count.trials) }));
    isSpent = (yield* meter.measure(wanted)) < open.length;
    const [undecided, decided] = [open.filter((slot) => verdictOf(slot) === null), open.filter((slot) => verdictOf(slot) !== null)];
    open = undecided;
    for (const slot of decided) yield conclude(slot);
  }
  for (const { count } of open) book.write(count);
  const ended = admitted.length >= count ? 'count' : isSpent ? 'budget' : 'exhausted';
  return { admitted, rollouts: meter.rollouts(), candidates: fresh.taken(), ended, bank: book.toBank(checkpoints) };

  /** Takes candidates until enough are open; what a prior decides is concluded at once. */
  async function* fill(): AsyncGenerator<IterationEvent | SourceEvent> {
    while (open.length < parallel && admitted.length < count) {
      const slot = takeFromBank() ?? (yield* takeFresh());
      if (slot === null) return;
      const { task, trials } = slot.count;
      if (!quota.isRepositoryOpen(task.repository)) {
        book.write(slot.count);
        yield { type: 'candidate-park', taskId: task.id, reason: 'repository-quota' };
      } else if (verdictOf(slot) === null) open.push(slot);
      else if (trials === 0 && slot.origin === 'fresh' && random() < doubt)
        open.push({ ...slot, prior: defaultPrior, rule: ruleOf(defaultPrior) });
      else yield conclude(slot);
    }
  }

  function takeFromBank(): Slot | null {
    for (let next = ranked.shift(); next !== undefined; next = ranked.shift()) {
      const { strategy, repository } = next.count.task;
      if (quota.isStrategyOpen(strategy) && quota.isRepositoryOpen(repository))
        return { ...next, rule: ruleOf(next.prior), origin: 'bank' };
    }
    return null;
  }

  async function* takeFresh(): AsyncGenerator<SourceEvent, Slot | null> {
    isSpent = fresh.taken() >= maxCandidates || isBudgetSpent();
    const candidate = isSpent ? null : yield* fresh.next();
    isSpent ||= deadline?.aborted === true;
    if (candidate === null) return null;
    const slot = prepareSlot({ candidate, counts: [], checkpoints, carriedPriorOf });
    book.write(slot.count);
    return { ...slot, rule: ruleOf(slot.prior), origin: 'fresh' };
  }

  /** Null while more rollouts are wanted; nothing is taken into the band without one. */
  function verdictOf({ count, rule }: Slot): CalibrationVerdict | null {
    const verdict = judge({ count, rule, maxUnscored });
    if (verdict !== 'in-band' || count.trials > 0) return verdict;
    return count.unscored > maxUnscored ? 'undecided' : null;
  }

  function conclude(slot: Slot): IterationEvent {
    const { task } = slot.count;
    const verdict = verdictOf(slot) ?? 'undecided';
    const calibration = toCalibration({ count: slot.count, verdict, prior: slot.prior, band });
    const isOpen = admitted.length < count && quota.isStrategyOpen(task.strategy) && quota.isRepositoryOpen(task.repository);
    const isAdmitted = verdict === 'in-band' && isOpen && (options.mayAdmit?.(task) ?? true);
    book.write(slot.count);
    if (isAdmitted) {
      admitted.push({ candidate: task, calibration });
      book.admit(task.id);
      quota.add(task);
    }
    if (slot.origin === 'fresh') {
      priors.observe(toMeasurement(task, { ...slot.count, checkpoint }));
      chooser.observe({ strategy: task.strategy, inBand: verdict === 'in-band' });
    }
    return {
      type: 'candidate-calibrate',
      ...calibration,
      strategy: task.strategy,
      repository: task.repository,
      origin: slot.origin,
      rule: slot.rule.name,
      admitted: isAdmitted,
    };
  }
}

function requireCounts({ count, ...positive }: Readonly<Record<string, number>>): void {
  const wrong = Object.entries({ ...positive, count: Number(count) + 1 }).find(([, value]) => !Number.isInteger(value) || value < 1);
  if (wrong === undefined) return;
  throw new TadpoleError({
    code: 'invalid-config',
    message: `calibrateIteration: expected whole wave, parallel, anchorTrials >= 1 and count >= 0, got another ${wrong[0]}.`,
  });
}

function defaultChooser(bank: Bank, random: () => number): StrategyChooser {
  const chooser = strategyBandit({ random });
  for (const { candidate, admittedAt } of bank.entries) chooser.observe({ strategy: candidate.strategy, inBand: admittedAt !== null });
  return chooser;
}
