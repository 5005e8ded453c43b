import { readFileSync } from 'node:fs';
import { relativePathSchema, sandboxLimitsSchema, TadpoleError, testRunnerSchema } from '@tadpole/contracts';
import { defaultMoves, lineOperators } from '@tadpole/taskpilot';
import { z } from 'zod';
import { closestName } from './closest-name.js';
import { configuredLoss, lossSchema } from './loss-configuration.js';
import { repositoryIssues } from './repository-issues.js';
import { settingsHash } from './settings-hash.js';

const packageName = z.string().regex(/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i, 'expected the name of an npm package');

/** Longest wait of Node's timers. */
const milliseconds = sandboxLimitsSchema.shape.timeoutMs;

/** One of the names that `known` gives, else an issue with the nearest of them. */
function nameAmong(options: { what: string; known: () => readonly string[] }) {
  return z.string().superRefine((name, context) => {
    const known = options.known();
    if (known.includes(name)) return;
    const near = closestName(name, known);
    const hint = near === undefined ? '' : `, did you mean "${near}"?`;
    context.addIssue({ code: 'custom', message: `unknown ${options.what} "${name}"${hint}; known: ${known.join(', ')}` });
  });
}

const operatorName = nameAmong({ what: 'operator', known: () => lineOperators.map(({ name }) => name) });
const moveName = nameAmong({ what: 'move', known: () => defaultMoves().map(({ name }) => name) });

/** A third-party package that tasks are made from, as it lies in `node_modules`. */
export const repositorySchema = z
  .strictObject({
    package: packageName,
    runner: testRunnerSchema,
    /** Files that may be mutated. */
    sourceFiles: z.array(relativePathSchema).min(1).readonly(),
    /** Files among `sourceFiles` whose tasks are only ever evaluated, never trained on. */
    heldOutFiles: z.array(relativePathSchema).readonly().default([]),
    testFiles: z.array(relativePathSchema).min(1).readonly(),
    /** Tests, helpers and fixtures that the agent must not see. */
    hiddenPaths: z.array(relativePathSchema).min(1).readonly(),
    /** Built copies of the sources and other places where the answer lies. */
    dropPaths: z.array(relativePathSchema).readonly().default([]),
    /** npm packages that the tests need. */
    dependencies: z.array(packageName).readonly().default([]),
  })
  .superRefine((repository, context) => {
    for (const { path, message } of repositoryIssues(repository)) context.addIssue({ code: 'custom', path, message });
  });
/** See {@link repositorySchema}. */
export type Repository = z.infer<typeof repositorySchema>;

const fraction = z.number().min(0).max(1);

/** Where the policy samples and trains: in this process, or on a server of the Tinker protocol. */
export const engineSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('embedded') }),
  z.strictObject({
    kind: z.literal('tinker'),
    baseUrl: z.url(),
    server: z.enum(['tadpole', 'skyrl-jax', 'skyrl-gpu', 'hosted']),
    /** As the server names it. @default its only one */
    baseModel: z.string().min(1).optional(),
    /** LoRA rank. @default 32 */
    rank: z.int().positive().optional(),
    /** Longest sequence in tokens. @default what the server says */
    contextTokens: z.int().positive().optional(),
    /** Variable with the API key. @default none is sent */
    apiKeyEnv: z.string().min(1).optional(),
    /** How messages become tokens: as the shipped base reads them, or by a model's own template. */
    renderer: z.enum(['embedded', 'qwen3', 'qwen-xml', 'hermes']),
    /** Folder with `tokenizer.json`, `tokenizer_config.json` and `chat_template.jinja`, for a model's own template. */
    tokenizer: z.string().min(1).optional(),
  }),
]);
/** See {@link engineSchema}. */
export type EngineConfiguration = z.infer<typeof engineSchema>;

/** Everything that changes what a run computes. Unknown keys are refused. */
export const configurationSchema = z.strictObject({
  seed: z.int().min(0),
  /** @default embedded */
  engine: engineSchema.optional(),
  repositories: z
    .array(repositorySchema)
    .min(1)
    .refine((list) => new Set(list.map((repository) => repository.package)).size === list.length, 'expected every package once')
    .readonly(),
  heldOut: z.strictObject({ tasks: z.int().positive(), samplesPerTask: z.int().positive() }),
  iterations: z.int().positive(),
  synthesis: z.strictObject({
    /** Tasks wanted in the band, an iteration; it ends with those, or when a bound is reached. */
    tasks: z.int().positive(),
    /** Validated candidates that an iteration looks at, at most. */
    candidates: z.int().positive(),
    /** Calibration rollouts of an iteration, at most. */
    rollouts: z.int().positive(),
    /** Operators of the procedural generator, by name; more than a policy can almost repair only cost rollouts. @default all */
    operators: z.array(operatorName).min(1).readonly().optional(),
    /** Moves by which measured tasks are made easier or harder, by name. @default say-less and say-more, which change the statement alone */
    moves: z.array(moveName).readonly().optional(),
    statementRung: z.enum(['symptom', 'file', 'region', 'line', 'quoted-line']),
    testTimeoutMs: milliseconds,
  }),
  calibration: z.strictObject({
    band: z.tuple([fraction, fraction]).refine(([low, high]) => low < high, 'expected [low, high] with low < high'),
    /** Beta(alpha, beta) of solve rates before anything is measured; each strategy's own is learned from there. */
    prior: z.tuple([z.number().positive(), z.number().positive()]),
    wave: z.int().positive(),
    maxTrials: z.int().positive(),
    /** Cost of a wrongly accepted task, in accepted ones. */
    falseAcceptCost: z.number().min(0),
    /** Price of one rollout, in accepted tasks. */
    rolloutCost: z.number().min(0),
  }),
  training: z
    .strictObject({
      updatesPerIteration: z.int().positive(),
      groupsPerUpdate: z.int().positive(),
      groupSize: z.int().min(2),
      learningRate: z.number().min(0).max(1),
      beta1: z.number().min(0).lt(1),
      beta2: z.number().min(0).lt(1),
      weightDecay: z.number().min(0).max(1_000),
      gradientClip: z.number().min(0),
      minibatches: z.int().positive(),
      epochs: z.int().positive(),
      deltaLow: z.number().positive(),
      deltaHigh: z.number().positive(),
      /** Another loss than FrogNano's. @default DPPO Binary-TV with deltaLow and deltaHigh, token mean */
      loss: lossSchema.optional(),
      /** How a group's rewards become advantages. @default mean-std */
      advantages: z.enum(['mean-std', 'mean', 'leave-one-out']).optional(),
      /** By which rewards a group counts as one without variance; `shaped` lets groups that all pass train on length. @default raw */
      varianceOf: z.enum(['raw', 'shaped']).optional(),
      /** Above groupsPerUpdate: groups without variance are replaced until that many are kept, or so many were rolled out. @default groupsPerUpdate */
      maxGroupsPerUpdate: z.int().positive().optional(),
      /** Updates that rollouts may be behind the weights that learn from them: so many updates' rollouts are made while earlier ones train. @default 0 */
      maxLag: z.int().min(0).max(64).optional(),
      /** First iteration (0-based) whose rewards carry the length term; FrogNano's is 2. */
      lengthTermFromIteration: z.int().min(0),
      /** More than this share of unscored rollouts in an update stops the run. */
      maxUnscoredShare: fraction,
    })
    .refine(({ groupsPerUpdate, maxGroupsPerUpdate = groupsPerUpdate }) => maxGroupsPerUpdate >= groupsPerUpdate, {
      message: 'expected at least groupsPerUpdate',
      path: ['maxGroupsPerUpdate'],
    })
    .superRefine((training, context) => {
      try {
        configuredLoss(training);
      } catch (error) {
        context.addIssue({ code: 'custom', path: ['loss'], message: (error as Error).message });
      }
    }),
  sampling: z.strictObject({ temperature: z.number().positive(), topP: z.number().gt(0).max(1), maxTokensPerTurn: z.int().positive() }),
  agent: z.strictObject({ maxTurns: z.int().positive(), wallTimeMs: milliseconds, limits: sandboxLimitsSchema }),
  concurrency: z.strictObject({ rollouts: z.int().positive(), grading: z.int().positive(), validation: z.int().positive() }),
});
/** See {@link configurationSchema}. */
export type Configuration = z.infer<typeof configurationSchema>;

/** Any part of `T`, however deep; a list is given whole or not at all. */
export type DeepPartial<T> = T extends readonly unknown[] ? T : T extends object ? { readonly [K in keyof T]?: DeepPartial<T[K]> } : T;
/** A configuration file: any part of the configuration, laid over the budget's. */
export type ConfigurationOverrides = DeepPartial<Configuration>;

/**
 * Checks a whole configuration.
 *
 * @param options.source - named in the message, for instance the file.
 * @throws TadpoleError `invalid-config`: which key, what was expected, what came, and the nearest known key.
 */
export function parseConfiguration(options: { value: unknown; source: string }): Configuration {
  const parsed = configurationSchema.safeParse(options.value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => describeIssue(issue, options.value));
  throw new TadpoleError({ code: 'invalid-config', message: `${options.source}: ${lines.join('; ')}`, cause: parsed.error });
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return `${path || '(root)'}: ${issue.message}`;
  const known = knownKeys({ path: issue.path, value });
  return issue.keys
    .map((key) => {
      const near = closestName(key, known);
      return `unknown key "${path ? `${path}.` : ''}${key}"${near ? `, did you mean "${near}"?` : `; known here: ${known.join(', ')}`}`;
    })
    .join('; ');
}

function knownKeys(options: { path: readonly PropertyKey[]; value: unknown }): readonly string[] {
  let schema: unknown = configurationSchema;
  let { value } = options;
  for (const key of options.path) {
    schema = unwrapped(schema, value);
    if (schema instanceof z.ZodArray) schema = schema.element;
    else if (schema instanceof z.ZodObject) schema = schema.shape[String(key)];
    value = isRecord(value) || Array.isArray(value) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  }
  const last = unwrapped(schema, value);
  return last instanceof z.ZodObject ? Object.keys(last.shape) : [];
}

/** The schema of an object or a list below what wraps it; of several forms the one of the value's `kind`. */
function unwrapped(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodReadonly || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return unwrapped(schema.unwrap(), value);
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema;
  return schema.options.find((form) => form instanceof z.ZodObject && isRecord(value) && form.shape.kind?.safeParse(value.kind).success);
}

/**
 * Lays overrides over a configuration, key by key; arrays replace.
 *
 * @throws TadpoleError `invalid-config` as {@link parseConfiguration}.
 */
export function overrideConfiguration(options: { base: Configuration; overrides: unknown; source: string }): Configuration {
  return parseConfiguration({ value: merge(options.base, options.overrides), source: options.source });
}

function merge(base: unknown, overrides: unknown): unknown {
  if (!isRecord(base) || !isRecord(overrides)) return overrides === undefined ? base : overrides;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(overrides)) merged[key] = merge(base[key], value);
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads overrides from a JSON file. @throws TadpoleError `invalid-config` when it is missing or not JSON. */
export function readOverrides(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-config',
      message: `--config ${file}: expected a readable JSON file, got: ${(cause as Error).message}`,
      cause,
    });
  }
}

/** sha256 over the configuration with sorted keys: equal for equal meaning. */
export function configurationHash(configuration: Configuration): string {
  return settingsHash(configuration);
}
