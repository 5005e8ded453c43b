import { discardReasonSchema, rateSchema } from '@tadpole/contracts';
import { z } from 'zod';

const count = z.int().min(0);
const interval = z.tuple([z.number(), z.number()]).readonly();
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
const shares = z.record(z.string(), z.number());

const funnelCounts = {
  /** `refused + valid`. */
  proposed: count,
  /** Sum of `refusals`. */
  refused: count,
  /** Refusals by typed reason, the most frequent first. */
  refusals: list(z.strictObject({ reason: z.string(), count })),
  valid: count,
  /** Of the valid ones: kept for evaluation, never measured. */
  heldOut: count,
  /** Of the valid ones for training: at least one scored rollout. */
  measured: count,
  inBand: count,
  admitted: count,
  /** With 95 % Wilson intervals; null without a trial. */
  shares: z.strictObject({
    /** Of the proposed ones. */
    valid: rateSchema.nullable(),
    /** Of the measured ones. */
    inBand: rateSchema.nullable(),
    /** Of the valid ones for training. */
    admitted: rateSchema.nullable(),
  }),
};

const funnelRowSchema = z.strictObject({ name: z.string(), ...funnelCounts });
const measuredRateSchema = z.strictObject({
  taskId: z.string(),
  strategy: z.string(),
  source: z.string(),
  origin: z.enum(['fresh', 'bank']),
  /** Made of a measured task by a refinement move. */
  isRefined: z.boolean(),
  verdict: z.enum(['in-band', 'too-easy', 'too-hard', 'undecided']),
  successes: count,
  trials: count,
  unscored: count,
  mean: z.number(),
  /** 95 %. */
  interval,
  probabilityInBand: z.number(),
  admitted: z.boolean(),
});

const histogramBinSchema = z.strictObject({
  low: z.number(),
  high: z.number(),
  /** Before refinement: fresh tasks that no move made. */
  fresh: count,
  /** After it: the admitted ones. */
  admitted: count,
});

const rolloutSpendingSchema = z.strictObject({
  /** Rollouts asked for, those of anchors and unscored ones included. */
  asked: count,
  unscored: count,
  /** Share of the asked ones that the infrastructure failed; null before any. */
  infrastructure: rateSchema.nullable(),
  rounds: count,
  perAdmitted: z.number().nullable(),
  /** Eight rollouts of each measured candidate, k of 3 to 5 accepted, with each candidate's probability of that. */
  fixedEight: z.strictObject({
    candidates: count,
    rollouts: count,
    expectedAccepted: z.number(),
    perAccepted: z.number().nullable(),
  }),
  /** `1 - perAdmitted / fixedEight.perAccepted`; null before anything is admitted. */
  saving: z
    .strictObject({
      share: z.number(),
      /** 95 % bootstrap over the measured candidates; null where some resamples admit none. */
      interval: interval.nullable(),
    })
    .nullable(),
});

const dimensionSchema = z.strictObject({
  shares: list(z.strictObject({ kind: z.string(), share: z.number(), target: z.number(), difference: z.number() })),
  largestDifference: z.number(),
  klNats: z.number(),
  holds: z.boolean(),
});

const iterationMixSchema = z.strictObject({
  /** Admitted tasks whose kinds are not known, left out of both. */
  unknown: count,
  /** Of the admitted tasks; a later iteration's target. Null without one of known kinds. */
  mix: z.strictObject({ repository: shares, operatorFamily: shares, patchSize: shares, statementRung: shares }).nullable(),
  /** Null without a mix or a target. */
  drift: z
    .strictObject({
      dimensions: z.strictObject({
        repository: dimensionSchema,
        operatorFamily: dimensionSchema,
        patchSize: dimensionSchema,
        statementRung: dimensionSchema,
      }),
      fresh: z.strictObject({ share: z.number(), minimum: z.number(), holds: z.boolean() }),
      holds: z.boolean(),
    })
    .nullable(),
});

/** What an iteration of task synthesis came to, as plain JSON data. */
export const iterationReportSchema = z.strictObject({
  band: interval,
  /** Why it ended; null while it goes on. */
  ended: z.enum(['count', 'budget', 'exhausted']).nullable(),
  /** All admitted tasks, carried ones included. */
  admitted: count,
  funnel: z.strictObject({
    total: z.strictObject(funnelCounts),
    byOperator: list(funnelRowSchema),
    /** Generators and refinement moves. */
    byStrategy: list(funnelRowSchema),
    /** Tasks that an earlier iteration proposed. */
    carried: z.strictObject({ measured: count, inBand: count, admitted: count }),
  }),
  /** Every task with a scored rollout, the hardest first. */
  rates: list(measuredRateSchema),
  histogram: list(histogramBinSchema),
  rollouts: rolloutSpendingSchema,
  /** Repeated candidates and tasks, refused or discarded, by the key that was equal. */
  duplicates: z.strictObject({
    total: count,
    byKey: list(z.strictObject({ key: z.enum(['line', 'patch', 'site', 'statement', 'other']), count })),
  }),
  /** Valid tasks that were not admitted, by reason, the most frequent first. */
  discards: list(z.strictObject({ reason: discardReasonSchema, count })),
  kinds: iterationMixSchema,
  /** The policy's gain in ability since the checkpoint before, in logits; null where no anchor was measured. */
  shift: z.strictObject({ logits: z.number(), standardError: z.number(), interval, anchors: count }).nullable(),
  cost: z.strictObject({
    /** United States dollars; null where nothing says a price. */
    usd: z.number().nullable(),
    usdPerAdmitted: z.number().nullable(),
    /** Calibration rollouts that say no price. */
    unpricedRollouts: count,
    /** Of the calibration rollouts; null where none says its usage. */
    tokens: z.strictObject({ prompt: count, completion: count, areEstimated: z.boolean() }).nullable(),
    /** Executions of tests; null while the iteration goes on. */
    executions: count.nullable(),
  }),
});

/** See {@link iterationReportSchema}. */
export type IterationReport = z.infer<typeof iterationReportSchema>;

/** What became of the candidates of one operator or strategy that this iteration proposed; each stage is part of the one before. */
export type FunnelRow = IterationReport['funnel']['byOperator'][number];

/** A measured task with the posterior of its solve rate under the calibration's prior. */
export type MeasuredRate = IterationReport['rates'][number];

/** Tasks by posterior mean in [low, high); the last bin holds 1 too. */
export type HistogramBin = IterationReport['histogram'][number];

/** Rollouts spent, and what eight fixed ones a candidate would have cost. */
export type RolloutSpending = IterationReport['rollouts'];

/** What the admitted tasks are spread over, and how far that is from the target mix. */
export type IterationMix = IterationReport['kinds'];
