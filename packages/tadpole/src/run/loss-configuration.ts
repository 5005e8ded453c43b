import type { Loss } from '@tadpole/contracts';
import { cispo, dppo, dppoBinaryTv, drpo, gspo, importanceSampling, ppoClip } from '@tadpole/dppo-trainer';
import { z } from 'zod';

const aggregation = z
  .union([
    z.enum(['token-mean', 'trajectory-mean', 'sum']),
    z.strictObject({ kind: z.literal('length-normalised'), length: z.number().positive() }),
  ])
  .optional();
const threshold = z.number().min(0).optional();
const ratioBound = z.number().positive().optional();
const ratioCap = z.number().min(1).optional();

/** A loss by name with its numbers; what is left out has the loss's own default. */
export const lossSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('dppo-binary-tv'), deltaLow: threshold, deltaHigh: threshold, ratioCap, aggregation }),
  z.strictObject({ kind: z.literal('dppo-binary-kl'), deltaLow: threshold, deltaHigh: threshold, ratioCap, aggregation }),
  z.strictObject({ kind: z.literal('ppo'), clipLow: ratioBound, clipHigh: ratioBound, aggregation }),
  z.strictObject({ kind: z.literal('cispo'), clipLow: threshold, clipHigh: ratioBound, aggregation }),
  z.strictObject({ kind: z.literal('importance-sampling'), ratioCap, aggregation }),
  z.strictObject({ kind: z.literal('gspo'), clipLow: threshold, clipHigh: threshold, aggregation }),
  z.strictObject({ kind: z.literal('drpo'), epsilon: z.number().positive().optional(), aggregation }),
]);
/** See {@link lossSchema}. */
export type LossConfiguration = z.infer<typeof lossSchema>;

/**
 * The loss that a configuration names.
 *
 * @throws TadpoleError `invalid-input` for numbers that the loss refuses, for instance bounds that do not enclose 1.
 */
export function configuredLoss(training: { loss?: LossConfiguration | undefined; deltaLow: number; deltaHigh: number }): Loss {
  const { loss, deltaLow, deltaHigh } = training;
  if (loss === undefined) return dppoBinaryTv({ deltaLow, deltaHigh });
  const { kind, ...numbers } = loss;
  const settings = withoutUndefined(numbers);
  if (kind === 'ppo') return ppoClip(settings);
  if (kind === 'cispo') return cispo(settings);
  if (kind === 'importance-sampling') return importanceSampling(settings);
  if (kind === 'gspo') return gspo(settings);
  if (kind === 'drpo') return drpo(settings);
  return dppo({ divergence: kind === 'dppo-binary-kl' ? 'binary-kl' : 'binary-tv', ...settings });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<T>;
}
