import type { DiscardReason, Rate, TadpoleEvent } from '@tadpole/contracts';
import { addCost, advanceSynthesis, noSynthesis, type SynthesisProgress } from './synthesis-progress.js';

/** One update's numbers as they are shown. */
export interface UpdatePoint {
  readonly iteration: number;
  readonly update: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** One evaluation of the held-out tasks. */
export interface EvaluationPoint {
  readonly iteration: number;
  readonly update: number;
  readonly label: string;
  readonly passAt1: Rate;
  readonly unscored: number;
}

/** A run as its journal tells it. Every count and curve that is printed comes from here. */
export interface RunSummary {
  readonly iteration: number;
  readonly snapshots: readonly { readonly source: string; readonly tests: number; readonly split: string }[];
  readonly proposed: number;
  readonly valid: { readonly train: number; readonly heldOut: number };
  readonly refused: Readonly<Record<string, number>>;
  readonly calibrated: Readonly<Record<'in-band' | 'too-easy' | 'too-hard' | 'undecided', number>>;
  readonly admitted: number;
  /** Valid tasks that were not admitted, by reason. */
  readonly discarded: Readonly<Partial<Record<DiscardReason, number>>>;
  /** The synthesis of the iteration at hand. */
  readonly synthesis: SynthesisProgress;
  readonly rollouts: Readonly<Record<'calibration' | 'train' | 'evaluation', number>>;
  readonly unscored: number;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /**
   * United States dollars of the rollouts and, once their iteration's synthesis has ended, of its other model calls; null
   * where nothing says a price.
   */
  readonly costUsd: number | null;
  readonly updates: readonly UpdatePoint[];
  readonly evaluations: readonly EvaluationPoint[];
  readonly audited: number;
  readonly flagged: number;
  /** Wall time in which the run was working, without the gaps between a kill and its resume. */
  readonly workedMs: number;
  readonly finished: 'done' | 'interrupted' | 'failed' | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends object ? Mutable<T[K]> : T[K] };

/** Folds events one by one, for a display that follows a run. */
export interface RunSummarizer {
  /** Counts the next event of the journal, in order. */
  add(event: TadpoleEvent): void;
  readonly summary: RunSummary;
}

/** A summarizer that has seen nothing yet. */
export function createRunSummarizer(): RunSummarizer {
  const summary = emptySummary();
  const counted = new Set<string>();
  let previousMs: number | undefined;
  return {
    summary,
    add(event) {
      const atMs = Date.parse(event.at);
      if (previousMs !== undefined && !(event.type === 'run-start' && event.resumed)) summary.workedMs += Math.max(0, atMs - previousMs);
      previousMs = atMs;
      addEvent({ summary, event, counted });
    },
  };
}

/** Folds a journal into its summary. Pure: the same events give the same summary. */
export function summarizeRun(events: readonly TadpoleEvent[]): RunSummary {
  const summarizer = createRunSummarizer();
  for (const event of events) summarizer.add(event);
  return summarizer.summary;
}

function emptySummary(): Mutable<RunSummary> {
  return {
    iteration: 0,
    snapshots: [],
    proposed: 0,
    valid: { train: 0, heldOut: 0 },
    refused: {},
    calibrated: { 'in-band': 0, 'too-easy': 0, 'too-hard': 0, undecided: 0 },
    admitted: 0,
    discarded: {},
    synthesis: noSynthesis(0),
    rollouts: { calibration: 0, train: 0, evaluation: 0 },
    unscored: 0,
    tokens: { prompt: 0, completion: 0 },
    costUsd: null,
    updates: [],
    evaluations: [],
    audited: 0,
    flagged: 0,
    workedMs: 0,
    finished: undefined,
  };
}

/** A resumed run may repeat a cheap event (a snapshot, a validated candidate); each counts once. */
function isRepeat(options: { event: TadpoleEvent; counted: Set<string> }): boolean {
  const { event, counted } = options;
  const key = repeatKey(event);
  if (key === undefined) return false;
  if (counted.has(key)) return true;
  counted.add(key);
  return false;
}

function repeatKey(event: TadpoleEvent): string | undefined {
  switch (event.type) {
    case 'snapshot-ready':
      return `snapshot ${event.hash}`;
    case 'candidate-refuse':
      return `refuse ${event.iteration} ${event.candidateId}`;
    case 'candidate-validate':
      return `validate ${event.iteration} ${event.taskId}`;
    case 'candidate-calibrate':
      return `calibrate ${event.iteration} ${event.taskId}`;
    case 'calibration-round':
      return `round ${event.iteration} ${event.round}`;
    case 'checkpoint-shift':
      return `shift ${event.iteration}`;
    case 'candidate-discard':
      return `discard ${event.iteration} ${event.taskId}`;
    case 'synthesis-end':
      return `synthesis ${event.iteration}`;
    case 'task-admit':
      return `admit ${event.iteration} ${event.taskId}`;
    case 'rollout-end':
      return `rollout ${event.key}`;
    case 'audit-end':
      return `audit ${event.trajectoryId}`;
    case 'update-end':
      return `update ${event.iteration} ${event.update}`;
    case 'evaluation-end':
      return `evaluation ${event.label}`;
    default:
      return undefined;
  }
}

function addEvent(options: { summary: Mutable<RunSummary>; event: TadpoleEvent; counted: Set<string> }): void {
  const { summary, event } = options;
  if (isRepeat(options)) return;
  summary.synthesis = advanceSynthesis({ progress: summary.synthesis, event });
  switch (event.type) {
    case 'snapshot-ready':
      summary.snapshots.push({ source: event.source, tests: event.tests, split: event.split });
      break;
    case 'iteration-start':
      summary.iteration = event.iteration;
      break;
    case 'candidate-refuse':
      summary.proposed += 1;
      summary.refused[event.reason] = (summary.refused[event.reason] ?? 0) + 1;
      break;
    case 'candidate-validate':
      summary.proposed += 1;
      summary.valid[event.split === 'train' ? 'train' : 'heldOut'] += 1;
      break;
    case 'candidate-calibrate':
      summary.calibrated[event.verdict] += 1;
      break;
    case 'task-admit':
      summary.admitted += 1;
      break;
    case 'candidate-discard':
      summary.discarded[event.reason] = (summary.discarded[event.reason] ?? 0) + 1;
      break;
    case 'synthesis-end':
      // The rollouts among it are counted already.
      if (event.costUsd !== undefined) summary.costUsd = addCost(summary.costUsd, event.costUsd - (summary.synthesis.costUsd ?? 0));
      break;
    case 'rollout-end':
      summary.rollouts[event.purpose] += 1;
      summary.unscored += event.outcome.status === 'unscored' ? 1 : 0;
      summary.tokens.prompt += event.usage.promptTokens;
      summary.tokens.completion += event.usage.completionTokens;
      summary.costUsd = addCost(summary.costUsd, event.usage.costUsd);
      break;
    case 'audit-end':
      summary.audited += 1;
      summary.flagged += event.findings.length > 0 ? 1 : 0;
      break;
    case 'update-end':
      summary.updates.push({ iteration: event.iteration, update: event.update, metrics: { ...event.metrics } });
      break;
    case 'evaluation-end':
      summary.evaluations.push({
        iteration: event.iteration,
        update: event.update,
        label: event.label,
        passAt1: { ...event.passAt1, interval: [...event.passAt1.interval] },
        unscored: event.unscored,
      });
      break;
    case 'run-end':
      summary.finished = event.reason;
      break;
    default:
      break;
  }
}
