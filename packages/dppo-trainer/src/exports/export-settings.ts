import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

const name = z.string().regex(/^[^\s'"$`\\[\]{}(),=]+$/, 'expected a name or path without spaces, quotes or brackets');
const threshold = z.number().positive().max(1);

/** What an export sets; the defaults are FrogNano's (arXiv 2609.07925, Table 2), with its first context. Unknown keys are refused. */
export const exportSettingsSchema = z
  .strictObject({
    /** Name or folder of the model that is trained. */
    model: name,
    /** Binary-TV or Binary-KL. */
    divergence: z.enum(['tv', 'kl']).default('tv'),
    /** Thresholds of the mask. @default 0.2 for TV, 0.05 for KL */
    deltaLow: threshold.optional(),
    deltaHigh: threshold.optional(),
    learningRate: z.number().positive().default(1e-6),
    beta1: z.number().min(0).lt(1).default(0.9),
    beta2: z.number().min(0).lt(1).default(0.98),
    weightDecay: z.number().min(0).default(0.1),
    gradientClip: z.number().positive().default(1),
    /** Rollouts of one task. */
    groupSize: z.int().min(2).default(8),
    /** Tasks of one update. */
    groups: z.int().positive().default(32),
    updates: z.int().positive().default(200),
    /** Updates that a rollout may be old. */
    lag: z.int().min(0).default(1),
    temperature: z.literal(1).default(1),
    /** Turns of one rollout at most. */
    turns: z.int().positive().default(75),
    /** Generated tokens of one turn at most. */
    turnTokens: z.int().positive().default(8192),
    /** Prompt and everything after it. */
    contextTokens: z.int().positive().default(65_536),
    /** System prompt and task statement. */
    promptTokens: z.int().positive().default(8192),
  })
  .refine(({ contextTokens, promptTokens }) => promptTokens < contextTokens, {
    message: 'expected fewer promptTokens than contextTokens',
    path: ['promptTokens'],
  });
/** What may be given; see {@link exportSettingsSchema}. */
export type ExportSettings = z.input<typeof exportSettingsSchema>;
/** Settings with every default filled in. */
export type WholeExportSettings = Omit<z.output<typeof exportSettingsSchema>, 'deltaLow' | 'deltaHigh'> & {
  readonly deltaLow: number;
  readonly deltaHigh: number;
};

/** Fills the defaults in. @throws TadpoleError `invalid-config` that names the key. */
export function wholeExportSettings(settings: ExportSettings): WholeExportSettings {
  const parsed = exportSettingsSchema.safeParse(settings);
  if (parsed.success) {
    const delta = parsed.data.divergence === 'tv' ? 0.2 : 0.05;
    return { ...parsed.data, deltaLow: parsed.data.deltaLow ?? delta, deltaHigh: parsed.data.deltaHigh ?? delta };
  }
  const [issue] = parsed.error.issues;
  const message = `Settings of an export: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}.`;
  throw new TadpoleError({ code: 'invalid-config', message });
}
