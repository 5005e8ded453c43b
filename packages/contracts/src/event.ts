import { z } from 'zod';
import { auditVerdictSchema, findingSchema } from './audit.js';
import { outcomeSchema } from './outcome.js';
import { usageSchema } from './policy.js';
import { certificateSchema } from './task.js';
import { stopReasonSchema } from './trajectory.js';

const at = z.string();
const iteration = z.int().min(0);
const interval = z.tuple([z.number(), z.number()]);

/** A rate with its Wilson interval. */
export const rateSchema = z.strictObject({
  successes: z.int().min(0),
  trials: z.int().min(0),
  rate: z.number(),
  interval,
});
/** See {@link rateSchema}. */
export type Rate = z.infer<typeof rateSchema>;

/** What a rollout was for. Only `train` rollouts are learned from; `evaluation` ones are only counted. */
export const rolloutPurposeSchema = z.enum(['calibration', 'train', 'evaluation']);
/** See {@link rolloutPurposeSchema}. */
export type RolloutPurpose = z.infer<typeof rolloutPurposeSchema>;

/**
 * Why a validated task is not admitted (closed): `too-easy` · `trivial` (solved every time in at most three steps) · `too-hard` (it
 * waits in the bank for an abler checkpoint) · `never-solved` · `hopeless` (its prior left no chance, no rollout was spent) ·
 * `undecided` (too many rollouts without a score) · `refined` (a task made of it takes its place) · `quota` (its strategy,
 * repository or function has its share) · `duplicate` · `contaminated` (an evaluation set holds it) · `mix` (its kind has its
 * share of the target) · `unfinished` (the iteration ended while it was measured)
 */
export const discardReasonSchema = z.enum([
  'too-easy',
  'trivial',
  'too-hard',
  'never-solved',
  'hopeless',
  'undecided',
  'refined',
  'quota',
  'duplicate',
  'contaminated',
  'mix',
  'unfinished',
]);
/** See {@link discardReasonSchema}. */
export type DiscardReason = z.infer<typeof discardReasonSchema>;

/** Everything that a run reports, discriminated by `type` (`noun-verb`). The journal is a list of these. */
export const eventSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('run-start'), at, runId: z.string(), configurationHash: z.string(), resumed: z.boolean() }),
  z.strictObject({
    type: z.literal('snapshot-ready'),
    at,
    source: z.string(),
    hash: z.string(),
    tests: z.int(),
    flaky: z.int(),
    split: z.enum(['train', 'held-out', 'mixed']),
  }),
  z.strictObject({ type: z.literal('iteration-start'), at, iteration, weightsVersion: z.string() }),
  z.strictObject({
    type: z.literal('candidate-refuse'),
    at,
    iteration,
    candidateId: z.string(),
    /** The generator or refinement move that proposed it. */
    strategy: z.string(),
    operator: z.string(),
    source: z.string(),
    /** Typed reason, for instance `not-killed`, `timed-out`, `duplicate`. */
    reason: z.string(),
    detail: z.string(),
  }),
  z.strictObject({
    type: z.literal('candidate-validate'),
    at,
    iteration,
    taskId: z.string(),
    strategy: z.string(),
    operator: z.string(),
    /** `other` for what no operator made. */
    operatorFamily: z.string(),
    patchSize: z.string(),
    statementRung: z.string(),
    source: z.string(),
    failToPass: z.int(),
    split: z.enum(['train', 'held-out']),
    /** Tasks that it was refined from; empty for a fresh one. */
    parents: z.array(z.string()).readonly(),
  }),
  /** A round of rollouts before it begins. */
  z.strictObject({ type: z.literal('calibration-round'), at, iteration, round: z.int(), tasks: z.int(), rollouts: z.int() }),
  /** The policy's gain in ability since the checkpoint before, in logits. */
  z.strictObject({
    type: z.literal('checkpoint-shift'),
    at,
    iteration,
    shift: z.number(),
    standardError: z.number(),
    anchors: z.int(),
  }),
  z.strictObject({
    type: z.literal('candidate-calibrate'),
    at,
    iteration,
    taskId: z.string(),
    verdict: z.enum(['in-band', 'too-easy', 'too-hard', 'undecided']),
    successes: z.int(),
    trials: z.int(),
    unscored: z.int(),
    posteriorMean: z.number(),
    posteriorInterval: interval,
    probabilityInBand: z.number(),
    strategy: z.string(),
    source: z.string(),
    /** Fresh from a generator or a move, or measured at an earlier checkpoint. */
    origin: z.enum(['fresh', 'bank']),
    admitted: z.boolean(),
  }),
  /** The fate of a validated task that is not admitted; one a task and iteration. */
  z.strictObject({
    type: z.literal('candidate-discard'),
    at,
    iteration,
    taskId: z.string(),
    strategy: z.string(),
    source: z.string(),
    reason: discardReasonSchema,
    detail: z.string(),
  }),
  z.strictObject({ type: z.literal('task-admit'), at, iteration, taskId: z.string(), certificate: certificateSchema }),
  z.strictObject({
    type: z.literal('synthesis-end'),
    at,
    iteration,
    ended: z.enum(['count', 'budget', 'exhausted']),
    admitted: z.int(),
    /** Rollouts asked for, those of anchors and unscored ones included. */
    rollouts: z.int(),
    unscored: z.int(),
    /** Of rollouts and of model-written candidates; absent where nothing says a price. */
    costUsd: z.number().optional(),
    /** Executions of tests. */
    executions: z.int(),
  }),
  z.strictObject({
    type: z.literal('rollout-end'),
    at,
    /** Identity of everything that changes the rollout's meaning; a finished key is never run again. */
    key: z.string(),
    iteration,
    purpose: rolloutPurposeSchema,
    taskId: z.string(),
    sample: z.int().min(0),
    weightsVersion: z.string(),
    stopReason: stopReasonSchema,
    outcome: outcomeSchema,
    /** Of every attempt, those that the infrastructure failed included. */
    usage: usageSchema,
    durationMs: z.number(),
    /** Path of the trajectory, relative to the run's folder. */
    trajectory: z.string(),
  }),
  z.strictObject({
    type: z.literal('audit-end'),
    at,
    iteration,
    trajectoryId: z.string(),
    taskId: z.string(),
    findings: z.array(findingSchema).readonly(),
    /** Of rules that are only reported. @default none */
    reported: z.array(findingSchema).readonly().optional(),
    /** After verification. @default nothing was verified */
    verdict: auditVerdictSchema.optional(),
    /** What the gate did with the reward. */
    action: z.enum(['keep', 'zero', 'drop']),
    /** The reward before a gate that changed it. */
    rewardBefore: z.number().optional(),
  }),
  /** A sign that an update diverges or that a sampler does not follow the trainer, before the update's end. */
  z.strictObject({
    type: z.literal('update-alarm'),
    at,
    iteration,
    update: z.int().min(0),
    /** For instance `ratio-explosion` or `weights-unchanged`. */
    alarm: z.string(),
    detail: z.string(),
  }),
  z.strictObject({
    type: z.literal('update-end'),
    at,
    iteration,
    update: z.int().min(0),
    weightsVersion: z.string(),
    metrics: z.record(z.string(), z.number()),
  }),
  z.strictObject({
    type: z.literal('evaluation-end'),
    at,
    iteration,
    update: z.int().min(0),
    label: z.string(),
    weightsVersion: z.string(),
    passAt1: rateSchema,
    unscored: z.int(),
  }),
  z.strictObject({ type: z.literal('iteration-end'), at, iteration, weightsVersion: z.string(), checkpoint: z.string() }),
  z.strictObject({ type: z.literal('run-end'), at, reason: z.enum(['done', 'interrupted', 'failed']), detail: z.string() }),
]);
/** See {@link eventSchema}. */
export type TadpoleEvent = z.infer<typeof eventSchema>;

/** Where events go: the journal, the progress display, a tracker. */
export interface EventSink {
  /** Takes the next event, in order. Must not throw for one event's content. */
  emit(event: TadpoleEvent): void | Promise<void>;
}
